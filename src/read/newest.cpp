#include "read/newest.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <regex>
#include <set>

#include "base/error.hpp"
#include "read/contents.hpp"
#include "storage/file_identity.hpp"
#include "storage/part_name.hpp"
#include "storage/partial_name.hpp"

namespace thalweg::read {
namespace {

namespace fs = std::filesystem;

// Of one name in a folder. Parts for a date are of as many digits as dates have there, or more, as years do.
std::regex as_regex(const std::string& name) {
  std::string expression;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char code = name[i] == '%' && i + 1 < name.size() ? name[++i] : '\0';
    if (code != '\0' && code != '%')
      expression += "[0-9]+";
    else if (std::isalnum(static_cast<unsigned char>(name[i])) != 0)
      expression += name[i];
    else
      expression += std::string("\\") + name[i];
  }
  return std::regex(expression);
}

bool has_parts(const std::string& name) {
  return name.find('%') != std::string::npos;
}

// What a file in the folder is called when it is complete: neither the end of an unfinished one, nor the number of a
// part, belongs to the name.
std::string whole_name(const std::string& entry) {
  const std::string complete = storage::complete_name(entry);
  const auto part = storage::parse_part_name(complete);
  return part ? part->set : complete;
}

std::set<std::string> names_like(const fs::path& folder, const std::string& name) {
  std::set<std::string> names;
  const std::regex expression = as_regex(name);
  std::error_code error;  // a folder that cannot be listed has none
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    for (const std::string& whole : {whole_name(entry->path().filename()), entry->path().filename().string()})
      if (std::regex_match(whole, expression)) names.insert(whole);
  return names;
}

struct Candidate {
  std::string path;
  std::optional<double> last_s;
};

// Throws what is wrong with it.
Candidate candidate_of(const std::string& path, const formats::RunStart& start) {
  FileReader file(path);
  const Contents contents = contents_of(file, path, start);
  if (contents.records == 0 && std::ranges::any_of(contents.variables, &InputVariable::has_records))
    fail(THALWEG_ERROR_FORMAT, "'{}' has no record", path);
  return {path, contents.time_of(contents.records - 1)};
}

}  // namespace

std::vector<std::string> paths_like(const std::string& pattern) {
  std::vector<fs::path> found{""};
  for (const fs::path& part : fs::path(pattern)) {
    std::vector<fs::path> longer;
    for (const fs::path& folder : found) {
      if (!has_parts(part)) {
        longer.push_back(folder / part);
        continue;
      }
      for (const std::string& name : names_like(folder.empty() ? fs::path(".") : folder, part))
        longer.push_back(folder / name);
    }
    found = std::move(longer);
  }
  std::vector<std::string> paths;
  for (const fs::path& path : found)
    if (storage::is_any_there(path)) paths.push_back(path);
  return paths;
}

Newest newest_of(const std::string& pattern, const formats::RunStart& start) {
  Newest newest;
  std::vector<Candidate> complete;
  for (const std::string& path : paths_like(pattern)) try {
      complete.push_back(candidate_of(path, start));
    } catch (const Error& error) {
      newest.passed_by.emplace_back(error.what());
    }
  if (complete.empty()) return newest;
  if (complete.size() > 1)
    for (const Candidate& candidate : complete)
      if (!candidate.last_s)
        fail(THALWEG_ERROR_FORMAT,
             "{} are complete files of '{}', but which is the newest is not known, because '{}' does not say when its "
             "records were; say by its path which is meant",
             complete.size(), pattern, candidate.path);
  newest.path = std::ranges::max_element(complete, {}, [](const Candidate& one) {
                  return one.last_s.value_or(-std::numeric_limits<double>::infinity());
                })->path;
  return newest;
}

}  // namespace thalweg::read
