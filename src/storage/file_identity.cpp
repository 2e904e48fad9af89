#include "storage/file_identity.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "base/error.hpp"

namespace thalweg::storage {
namespace {

constexpr unsigned wanted_fields = STATX_INO | STATX_BTIME;

block::FileIdentity identity_in(const struct statx& status) {
  block::FileIdentity identity{.device = makedev(status.stx_dev_major, status.stx_dev_minor), .inode = status.stx_ino};
  if ((status.stx_mask & STATX_BTIME) != 0)
    identity.born_ns = std::int64_t{status.stx_btime.tv_sec} * 1'000'000'000 + status.stx_btime.tv_nsec;
  return identity;
}

// Without the device, whose number may differ between nodes.
std::string version_in(const struct stat& status) {
  return fmt::format("inode {}, {} bytes, of {}.{:09}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

}  // namespace

block::FileIdentity identity_of(const Descriptor& file, const std::string& path) {
  struct statx status{};
  if (::statx(file.get(), "", AT_EMPTY_PATH, wanted_fields, &status) != 0)
    fail_storage(fmt::format("ask which file '{}' is", path), errno);
  return identity_in(status);
}

std::optional<block::FileIdentity> identity_at(const std::string& path) {
  struct statx status{};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, wanted_fields, &status) == 0) return identity_in(status);
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  fail_storage(fmt::format("ask which file '{}' is", path), errno);
}

std::string version_at(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? version_in(status) : "";
}

std::string version_of(const Descriptor& file) {
  struct stat status{};
  return ::fstat(file.get(), &status) == 0 ? version_in(status) : "";
}

void require_same(const block::FileIdentity& written, const std::string& path) {
  const auto found = identity_at(path);
  if (found == written) return;
  fail(THALWEG_ERROR_STORAGE,
       "'{}' is {} the file that was written under this name{}; it gets no other name, and nothing was replaced. "
       "Another "
       "job or person has {} it: find out who, and recover what is left with 'thalweg recover'",
       path, found ? "no longer" : "gone: it was",
       found ? fmt::format(" (inode {}, now {})", written.inode, found->inode) : "",
       found ? "replaced" : "moved or removed");
}

}  // namespace thalweg::storage
