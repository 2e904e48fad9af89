#include "store/recover_name.hpp"

#include "base/error.hpp"
#include "store/checksum_file.hpp"
#include "store/format_file.hpp"
#include "store/journal.hpp"
#include "store/name_lock.hpp"
#include "store/publish.hpp"

namespace thalweg::store {
namespace {

FileIdentity require_there(const std::string& partial_path, const std::string& path) {
  const auto found = identity_at(partial_path);
  if (!found)
    fail(THALWEG_ERROR_STORAGE, "'{}' does not exist{}", partial_path,
         identity_at(path) ? fmt::format("; '{}' does: it is complete", path) : "");
  return *found;
}

}  // namespace

std::int64_t recover_name(const std::string& partial_path, const std::string& path) {
  require_there(partial_path, path);
  const NameLock lock(path);
  remove_replaced(path);
  const FileIdentity found = require_there(partial_path, path);
  if (identity_at(path))
    fail(THALWEG_ERROR_STORAGE, "'{}' exists already; move it away before '{}' is recovered", path, partial_path);
  const std::int64_t records = recover(partial_path);
  publish(partial_path, path, found, true);
  remove_journal(partial_path);
  remove_unpublished_checksums(path);
  return records;
}

}  // namespace thalweg::store
