#include "storage/output_name.hpp"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "storage/checksum_file.hpp"
#include "storage/first_bytes.hpp"
#include "storage/journal.hpp"
#include "storage/kept_files.hpp"
#include "storage/posix.hpp"
#include "storage/publish.hpp"

namespace thalweg::storage {
namespace {

namespace fs = std::filesystem;

// As files of some format do.
bool begins_as_output(const std::string& path) {
  const FirstBytes begin = first_bytes(open_file(path, O_RDONLY), path);
  return std::ranges::any_of(config::formats(), [&](config::Format format) {
    return !format->magic.empty() && begin.begins_with(format->magic);
  });
}

}  // namespace

OutputName::OutputName(NameRules rules, const std::string& path)
    : rules_(std::move(rules)), path_(path), partial_path_(path + partial_ending), lock_(path, rules_.session_id) {
  remove_replaced(path_);
  refuse_by_append();
  replaces_ = is_there(path_);
  if (replaces_) refuse_foreign();
  if (replaces_ && rules_.check_complete) rules_.check_complete(path_);
  if (is_there(partial_path_)) keep_aside(rules_.collection, path_);
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
  if (rules_.replaces_any || !rules_.has_magic || !fs::is_regular_file(status)) return;
  if (fs::file_size(path_) == 0 || begins_as_output(path_) || is_there(checksum_path(path_))) return;
  fail(THALWEG_ERROR_STORAGE,
       "collection '{}': '{}' exists and is no netCDF file, so it is not replaced; move it away, change 'file', or say "
       "'append: new' in the configuration to replace it",
       rules_.collection, path_);
}

bool OutputName::publish(const block::FileIdentity& written, bool durable,
                         const std::optional<block::Checksums>& checksums) const {
  std::optional<ChecksumFile> companion;
  if (checksums) companion.emplace(*checksums, partial_path_, path_, durable);
  storage::publish(partial_path_, path_, written, durable, rules_.check_folder, companion ? &*companion : nullptr);
  remove_journal(partial_path_);
  log::debug("collection '{}': '{}' is complete", rules_.collection, path_);
  if (replaces_ && !rules_.replaces_in_turn)
    log::note("collection '{}': '{}' replaces the complete one of that name", rules_.collection, path_);
  drop_oldest_kept(rules_.collection, path_, rules_.keep_unfinished);
  return companion && companion->is_published();
}

void OutputName::discard() const {
  std::error_code no_matter;  // nothing is in it
  fs::remove_all(partial_path_, no_matter);
  remove_journal(partial_path_);
}

void OutputName::give_up() const {
  discard();
  if (!replaces_)
    return log::warning("collection '{}': this run had no record for '{}', which is not made", rules_.collection,
                        path_);
  log::warning("collection '{}': this run had no record for '{}', which stays as it was", rules_.collection, path_);
}

}  // namespace thalweg::storage
