#include "sets/set_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "storage/posix.hpp"

namespace thalweg::sets {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of(const std::string& set) {
  fs::path folder = fs::path(set).parent_path();
  if (folder.empty()) folder = ".";
  const std::string name = fs::path(set).filename();
  std::vector<std::pair<std::int64_t, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (const auto part = storage::parse_part_name(entry.path().filename()); part && part->set == name)
      found.emplace_back(part->number, set + entry.path().filename().string().substr(name.size()));
  if (error) storage::fail_storage(fmt::format("list the folder of '{}'", set), error.value());
  if (found.empty())
    fail(THALWEG_ERROR_STORAGE, "there is no part of '{}': no file '{}' or of a higher number", set,
         storage::part_name(set, 0));
  std::ranges::sort(found);
  std::vector<std::string> files;
  for (auto& [number, file] : found) files.push_back(std::move(file));
  return files;
}

void check_files(const PartDescription& described, const std::vector<std::string>& files) {
  const std::int64_t said = described.identity.files;
  if (said != 0 && said != std::ssize(files))
    fail(THALWEG_ERROR_FORMAT,
         "'{}' says that its set has {} files, but {} are here, from '{}' to '{}'; all of them, and no others, have to "
         "be in one folder",
         files.front(), said, files.size(), files.front(), files.back());
}

void add_part(FileSet& set, const std::string& path, const std::vector<std::string>& files) {
  set.reading(path);
  const std::optional<block::FileIdentity> identity = storage::identity_at(path);
  std::unique_ptr<formats::ReadableFile> file = formats::open_readable(path);
  PartDescription described = describe_part(file->definition(), path);
  check_files(described, files);
  if (set.parts.empty()) {
    set.whole = std::move(described.whole);
    set.identity = std::move(described.identity);
    set.records = set.most_records = file->records();
  } else {
    check_alike(set.whole, set.parts.front().file, described.whole, path);
    check_one_run(set.identity, set.parts.front().file, described.identity, path);
  }
  set.records = std::min(set.records, file->records());
  set.most_records = std::max(set.most_records, file->records());
  set.parts.push_back({path, std::move(described.sections)});
  set.files.push_back(std::move(file));
  set.identities.push_back(identity.value_or(block::FileIdentity{}));
}

}  // namespace

FileSet open_file_set(const std::string& set, std::function<void(const std::string& file)> reading) {
  FileSet result;
  result.reading = std::move(reading);
  const std::vector<std::string> files = files_of(set);
  for (const std::string& path : files) add_part(result, path, files);
  check_distinct(result.parts);
  return result;
}

}  // namespace thalweg::sets
