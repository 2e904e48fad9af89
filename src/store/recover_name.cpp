#include "store/recover_name.hpp"

#include "base/error.hpp"
#include "store/checksum_file.hpp"
#include "store/format_file.hpp"
#include "store/journal.hpp"
#include "store/name_lock.hpp"
#include "store/publish.hpp"

namespace thalweg::store {
namespace {

void require_there(const std::string& partial_path, const std::string& path) {
  if (!identity_at(partial_path))
    fail(THALWEG_ERROR_STORAGE, "'{}' does not exist{}", partial_path,
         identity_at(path) ? fmt::format("; '{}' does: it is complete", path) : "");
}

}  // namespace

std::int64_t recover_name(const std::string& partial_path, const std::string& path) {
  require_there(partial_path, path);
  const NameLock lock(path);
  remove_replaced(path);
  require_there(partial_path, path);
  if (identity_at(path))
    fail(THALWEG_ERROR_STORAGE, "'{}' exists already; move it away before '{}' is recovered", path, partial_path);
  // Open all the while, and asked at the end which file it is: an overlay copies what a lower layer has when it is
  // first changed, and who has it open goes along.
  const Descriptor recovered = open_file(partial_path, O_RDONLY | O_NOFOLLOW);
  const std::int64_t records = recover(partial_path);
  publish(partial_path, path, identity_of(recovered, partial_path), true);
  remove_journal(partial_path);
  remove_unpublished_checksums(path);
  return records;
}

}  // namespace thalweg::store
