#include "storage/free_name.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"
#include "storage/file_identity.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {
namespace {

bool is_unknown_here(int error) {
  return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}

// 0, or what went wrong.
int link_to_free(const std::string& path, const std::string& target) {
  if (::link(path.c_str(), target.c_str()) == 0) return ::unlink(path.c_str()) == 0 ? 0 : errno;
  if (errno != EPERM && errno != EMLINK && !is_unknown_here(errno)) return errno;
  if (identity_at(target)) return EEXIST;
  return ::rename(path.c_str(), target.c_str()) == 0 ? 0 : errno;
}

}  // namespace

void rename_to_free(const std::string& path, const std::string& target) {
  if (::renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) return;
  const int error = is_unknown_here(errno) ? link_to_free(path, target) : errno;
  if (error == EEXIST) fail(THALWEG_ERROR_STORAGE, "'{}' exists already; move it away, or name another", target);
  if (error != 0) fail_storage(fmt::format("rename '{}' to '{}'", path, target), error);
}

}  // namespace thalweg::storage
