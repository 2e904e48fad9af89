#include "read/newest.hpp"

#include <regex.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "read/contents.hpp"
#include "storage/file_identity.hpp"
#include "storage/part_name.hpp"
#include "storage/partial_name.hpp"

namespace thalweg::read {
namespace {

namespace fs = std::filesystem;

// What the names of a folder are compared with. Parts for a date are of as many digits as dates have there, or more, as
// years do.
class NamePattern {
 public:
  explicit NamePattern(const std::string& name) {
    if (regcomp(&compiled_, expression_of(name).c_str(), REG_EXTENDED | REG_NOSUB) != 0)
      fail(THALWEG_ERROR_ARGUMENT, "'{}' is no pattern of names", name);
  }
  ~NamePattern() { regfree(&compiled_); }
  NamePattern(const NamePattern&) = delete;
  NamePattern& operator=(const NamePattern&) = delete;

  bool matches(const std::string& name) const { return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0; }

 private:
  static std::string expression_of(const std::string& name) {
    constexpr std::string_view special = ".[]\\()*+?{}|^$";
    std::string expression = "^";
    for (std::size_t i = 0; i < name.size(); ++i) {
      const char code = name[i] == '%' && i + 1 < name.size() ? name[++i] : '\0';
      if (code != '\0' && code != '%') {
        expression += "[0-9]+";
        continue;
      }
      if (special.find(name[i]) != std::string_view::npos) expression += '\\';
      expression += name[i];
    }
    return expression + "$";
  }

  regex_t compiled_{};
};

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
  const NamePattern pattern(name);
  std::error_code error;  // a folder that cannot be listed has none
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    for (const std::string& whole : {whole_name(entry->path().filename()), entry->path().filename().string()})
      if (pattern.matches(whole)) names.insert(whole);
  return names;
}

// Throws what is wrong with it.
CompleteFile complete_at(const std::string& path, const formats::RunStart& start) {
  FileReader file(path);
  const Contents contents = contents_of(file, path, start);
  if (contents.records == 0 && std::ranges::any_of(contents.variables, &InputVariable::has_records))
    fail(THALWEG_ERROR_FORMAT, "'{}' has no record", path);
  CompleteFile complete{path, contents.times_s, contents.no_times};
  if (contents.records == 0 && contents.only_time_s) complete.times_s = {*contents.only_time_s};
  if (contents.records == 0 && !contents.only_time_s)
    complete.no_times = fmt::format("'{}' has no time that is understood in the calendar of the run", path);
  return complete;
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

FoundFiles files_like(const std::string& pattern, const formats::RunStart& start) {
  FoundFiles found;
  for (const std::string& path : paths_like(pattern)) try {
      found.complete.push_back(complete_at(path, start));
    } catch (const Error& error) {
      found.passed_by.emplace_back(error.what());
    }
  return found;
}

Newest newest_of(const std::string& pattern, const formats::RunStart& start) {
  FoundFiles found = files_like(pattern, start);
  Newest newest{"", std::move(found.passed_by)};
  if (found.complete.empty()) return newest;
  if (found.complete.size() > 1)
    for (const CompleteFile& file : found.complete)
      if (file.times_s.empty())
        fail(THALWEG_ERROR_FORMAT,
             "{} are complete files of '{}', but which is the newest is not known, because nobody knows of when '{}' "
             "is: "
             "{}; say by its path which is meant",
             found.complete.size(), pattern, file.path, file.no_times);
  newest.path = std::ranges::max_element(found.complete, {}, [](const CompleteFile& file) {
                  return file.times_s.empty() ? -std::numeric_limits<double>::infinity() : file.times_s.back();
                })->path;
  return newest;
}

}  // namespace thalweg::read
