#include "formats/recover_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/error.hpp"
#include "formats/format_file.hpp"
#include "formats/replacing.hpp"
#include "storage/checksum_file.hpp"
#include "storage/journal.hpp"
#include "storage/name_lock.hpp"
#include "storage/part_name.hpp"
#include "storage/partial_name.hpp"
#include "storage/publish.hpp"

namespace thalweg::formats {
namespace {

void require_there(const std::string& partial_path, const std::string& path) {
  if (!storage::identity_at(partial_path))
    fail(THALWEG_ERROR_STORAGE, "'{}' does not exist{}", partial_path,
         storage::identity_at(path) ? fmt::format("; '{}' does: it is complete", path) : "");
}

// A master has the records that its parts have.
void require_parts(const std::string& path) {
  const std::vector<std::string> parts = storage::parts_beside(path, storage::partial_ending);
  if (!parts.empty())
    fail(THALWEG_ERROR_STORAGE,
         "'{0}' is of a set whose parts are not recovered yet, '{1}{2}' among them; recover these first, or have "
         "'thalweg recover {0}' do it",
         path, parts.front(), storage::partial_ending);
}

// A job may still write it under its other name, whose lock is another one.
void require_one_name(const storage::Descriptor& file, const std::string& path) {
  struct stat status{};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 1)
    fail(THALWEG_ERROR_STORAGE,
         "'{}' is one file with {} names (hard links), and a job may write it under another; copy it, and recover the "
         "copy",
         path, status.st_nlink);
}

}  // namespace

RecoveredFile::RecoveredFile(std::string path, bool had_owner)
    : path_(std::move(path)), file_(storage::open_file(path_, O_RDONLY | O_NOFOLLOW)) {
  require_one_name(file_, path_);
  records_ = recover(path_, had_owner);
}

void RecoveredFile::publish(const std::string& path) const {
  storage::remove_unpublished_checksums(path);
  storage::publish(path_, path, storage::identity_of(file_, path_), true, require_replaceable);
  storage::remove_journal(path_);
}

std::int64_t recover_name(const std::string& partial_path, const std::string& path) {
  require_there(partial_path, path);
  const bool had_owner = storage::identity_at(storage::lock_path(path)).has_value();
  const storage::NameLock lock(path);
  storage::remove_replaced(path);
  if (!storage::identity_at(partial_path) && storage::identity_at(path))
    fail(THALWEG_ERROR_STORAGE,
         "'{}' is gone: whoever wrote it has completed it, or it was what a kill had left of a store that is replaced; "
         "'{}' is complete, and there is nothing to recover",
         partial_path, path);
  require_there(partial_path, path);
  if (storage::identity_at(path))
    fail(THALWEG_ERROR_STORAGE,
         "'{}' exists already; move it away before '{}' is recovered (a run with 'append: continue' takes up both "
         "as they are)",
         path, partial_path);
  require_parts(path);
  const RecoveredFile recovered(partial_path, had_owner);
  recovered.publish(path);
  return recovered.records();
}

}  // namespace thalweg::formats
