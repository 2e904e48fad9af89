#include "storage/output_name.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "storage/checksum_file.hpp"
#include "storage/first_bytes.hpp"
#include "storage/journal.hpp"
#include "storage/posix.hpp"
#include "storage/publish.hpp"

namespace thalweg::storage {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) {
  return identity_at(path).has_value();
}

// "ocean.nc" -> "ocean.old.nc", "ocean.old2.nc", …, each with the ending of growing files again, so that it can be
// recovered as it is.
std::string kept_name(const std::string& path, int number) {
  const fs::path original = path;
  const std::string which = number == 1 ? "" : std::to_string(number);
  const std::string name =
      fmt::format("{}.old{}{}{}", original.stem().string(), which, original.extension().string(), partial_ending);
  return original.parent_path() / name;
}

// A name under which nothing is, nor would be in its way when it is recovered, and which nobody has: who recovers a
// kept file may have renamed it and still need what belongs to its name.
struct KeptName {
  std::string path;
  std::unique_ptr<NameLock> lock;
};

KeptName free_kept_name(const std::string& path) {
  for (int number = 1;; ++number) {
    const std::string kept = kept_name(path, number);
    const std::string complete = complete_name(kept);
    if (is_there(kept) || is_there(journal_path(kept)) || is_there(complete) || is_there(lock_path(complete))) continue;
    return {kept, std::make_unique<NameLock>(complete)};
  }
}

bool is_kept_name(const std::string& name, const std::string& path) {
  const fs::path original = path;
  const std::string begin = original.stem().string() + ".old";
  const std::string end = original.extension().string() + partial_ending;
  if (name.size() < begin.size() + end.size() || !name.starts_with(begin) || !name.ends_with(end)) return false;
  const std::string number = name.substr(begin.size(), name.size() - begin.size() - end.size());
  return std::ranges::all_of(number, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

// Oldest first.
std::vector<fs::path> kept_files(const std::string& path) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;  // of what vanishes meanwhile, or cannot be looked at: it is not counted
  for (fs::directory_iterator entry(fs::absolute(path).parent_path(), error), end; !error && entry != end;
       entry.increment(error))
    if (is_kept_name(entry->path().filename(), path)) found.emplace_back(entry->last_write_time(error), entry->path());
  std::ranges::sort(found);
  std::vector<fs::path> files;
  for (auto& [time, file] : found) files.push_back(std::move(file));
  return files;
}

// As files of some format do.
bool begins_as_output(const std::string& path) {
  const FirstBytes begin = first_bytes(open_file(path, O_RDONLY), path);
  return std::ranges::any_of(config::formats(), [&](config::Format format) {
    return !format->magic.empty() && begin.begins_with(format->magic);
  });
}

std::uintmax_t bytes_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path)) return fs::file_size(path, error);
  std::uintmax_t bytes = 0;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) bytes += entry->file_size(error);
  return bytes;
}

std::string kept_text(const std::string& path) {
  const std::vector<fs::path> files = kept_files(path);
  std::uintmax_t bytes = 0;
  for (const fs::path& file : files) bytes += bytes_of(file);
  return fmt::format("{} of unfinished runs of '{}' with {:.1f} MB",
                     files.size() == 1 ? "There is 1 file" : fmt::format("There are {} files", files.size()), path,
                     static_cast<double>(bytes) / 1e6);
}

}  // namespace

OutputName::OutputName(NameRules rules, const std::string& path)
    : rules_(std::move(rules)), path_(path), partial_path_(path + partial_ending), lock_(path, rules_.session_id) {
  remove_replaced(path_);
  refuse_by_append();
  replaces_ = is_there(path_);
  if (replaces_) refuse_foreign();
  if (replaces_ && rules_.check_complete) rules_.check_complete(path_);
  if (is_there(partial_path_)) keep_aside();
  remove_left_journal(partial_path_);  // of a file that somebody has removed
  log::debug("collection '{}': '{}' grows as '{}'", rules_.collection, path_, partial_path_);
}

void OutputName::refuse_by_append() const {
  if (rules_.append != config::Append::fail) return;
  if (is_there(path_))
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': '{}' exists already and 'append' is 'fail'; remove it, change 'file', or set 'append: new'",
         rules_.collection, path_);
  if (is_there(partial_path_))
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': '{}' exists already and 'append' is 'fail'; it is of a run that did not finish: 'thalweg "
         "recover' makes a proper file of it; or change 'file', or set 'append: new', which keeps it aside",
         rules_.collection, partial_path_);
}

// What no format here begins like was not written by a model's output.
void OutputName::refuse_foreign() const {
  const fs::file_status status = fs::symlink_status(path_);
  if (fs::is_directory(status)) return rules_.check_folder(path_);
  if (fs::is_other(status))
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': '{}' is a pipe, a device or the like, and is not replaced; move it away, or change 'file'",
         rules_.collection, path_);
  if (rules_.append_is_said || !rules_.has_magic || !fs::is_regular_file(status)) return;
  if (fs::file_size(path_) == 0 || begins_as_output(path_) || is_there(checksum_path(path_))) return;
  fail(THALWEG_ERROR_STORAGE,
       "collection '{}': '{}' exists and is no netCDF file, so it is not replaced; move it away, change 'file', or say "
       "'append: new' in the configuration to replace it",
       rules_.collection, path_);
}

void OutputName::keep_aside() const {
  const KeptName name = free_kept_name(path_);
  const std::string& kept = name.path;
  std::error_code error;
  fs::rename(partial_path_, kept, error);
  if (error)
    fail(THALWEG_ERROR_STORAGE, "collection '{}': cannot keep '{}' of an earlier run aside: {}", rules_.collection,
         partial_path_, error.message());
  if (is_there(journal_path(partial_path_))) fs::rename(journal_path(partial_path_), journal_path(kept), error);
  if (error)
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': '{}' of an earlier run is kept as '{}', but its journal '{}' cannot be: {}",
         rules_.collection, partial_path_, kept, journal_path(partial_path_), error.message());
  log::warning(
      "collection '{}': '{}' was left by a run that did not finish; kept as '{}'. {}: 'thalweg "
      "recover' makes proper files of them, and 'keep-unfinished' says how many are kept",
      rules_.collection, partial_path_, kept, kept_text(path_));
}

bool OutputName::publish(const block::FileIdentity& written, bool durable,
                         const std::optional<block::Checksums>& checksums) const {
  std::optional<ChecksumFile> companion;
  if (checksums) companion.emplace(*checksums, partial_path_, path_, durable);
  storage::publish(partial_path_, path_, written, durable, rules_.check_folder, companion ? &*companion : nullptr);
  remove_journal(partial_path_);
  log::debug("collection '{}': '{}' is complete", rules_.collection, path_);
  if (replaces_) log::note("collection '{}': '{}' replaces the complete one of that name", rules_.collection, path_);
  if (rules_.keep_unfinished != config::keep_all) drop_oldest_kept();
  return companion && companion->is_published();
}

// One that is being recovered is somebody's.
void OutputName::drop_oldest_kept() const {
  const std::vector<fs::path> files = kept_files(path_);
  const auto surplus = std::max<std::int64_t>(0, std::ssize(files) - rules_.keep_unfinished);
  for (const std::string oldest : std::span(files).first(static_cast<std::size_t>(surplus))) {
    try {
      const NameLock lock(complete_name(oldest));
      fs::remove_all(oldest);
      remove_journal(oldest);
      log::note("collection '{}': removed '{}' of an unfinished run (keep-unfinished: {})", rules_.collection, oldest,
                rules_.keep_unfinished);
    } catch (const std::exception& error) {
      log::warning("collection '{}': cannot remove '{}': {}", rules_.collection, oldest, error.what());
    }
  }
}

void OutputName::discard() const {
  std::error_code no_matter;  // nothing is in it
  fs::remove_all(partial_path_, no_matter);
  remove_journal(partial_path_);
}

void OutputName::give_up() const {
  discard();
  log::warning("collection '{}': this run had no record for '{}', which stays as it was", rules_.collection, path_);
}

}  // namespace thalweg::storage
