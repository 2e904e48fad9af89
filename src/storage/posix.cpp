#include "storage/posix.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/file_size_limit.hpp"
#include "base/system_call.hpp"
#include "storage/storage_calls.hpp"

namespace thalweg::storage {
namespace {

const char* advice_for(int error) {
  switch (error) {
    case ENOSPC: return "free some space on that file system, or write to another one";
    case EDQUOT: return "the disk quota is used up: delete files, ask for more, or write elsewhere";
    case EIO: return "the storage reports a fault: what was committed before is still readable; see the system's log";
    case EEXIST: return "remove or rename the file that is there";
    case ENOENT: return "create the folder first, or correct the name";
    case ENOTDIR: return "a part of the path is a file: correct the name";
    case EACCES:
    case EPERM: return "check the permissions of the file and of its folder";
    case EROFS: return "the file system is mounted read-only: write elsewhere";
    case EFBIG: return "the file is longer than the file system or the limit of the shell (ulimit -f) allows";
    case EMFILE:
    case ENFILE: return "too many files are open: raise the limit (ulimit -n) or use fewer collections";
    case ENAMETOOLONG: return "choose a shorter name";
    default: return "check path, file system and permissions";
  }
}

// Drops the first `done` bytes of parts and returns what is left.
std::span<iovec> drop_front(std::span<iovec> parts, std::size_t done) {
  while (!parts.empty() && done >= parts.front().iov_len) {
    done -= parts.front().iov_len;
    parts = parts.subspan(1);
  }
  if (!parts.empty()) {
    parts.front().iov_base = static_cast<std::byte*>(parts.front().iov_base) + done;
    parts.front().iov_len -= done;
  }
  return parts;
}

std::int64_t bytes_of(std::span<const iovec> parts) {
  std::int64_t bytes = 0;
  for (const iovec& part : parts) bytes += static_cast<std::int64_t>(part.iov_len);
  return bytes;
}

}  // namespace

void fail_storage(const std::string& action, int error) {
  fail(THALWEG_ERROR_STORAGE, "cannot {}: {}; {}", action, std::strerror(error), advice_for(error));
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = other.release();
  }
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

// A closing that was interrupted is one: Linux has let go of the file.
void Descriptor::close(const std::string& path) {
  const int fd = release();
  if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) fail_storage(fmt::format("close '{}'", path), errno);
}

int Descriptor::release() {
  return std::exchange(fd_, -1);
}

// Without O_NONBLOCK a pipe of the name would be waited for, until somebody opens its other end.
Descriptor open_file(const std::string& path, int flags, mode_t mode) {
  Descriptor file(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, mode); }));
  if (!file) fail_storage(fmt::format("{} '{}'", (flags & O_CREAT) != 0 ? "create" : "open", path), errno);
  struct stat status{};
  if (::fstat(file.get(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    fail(THALWEG_ERROR_STORAGE, "'{}' is a pipe, a device or the like, and no file; move it away, or use another name",
         path);
  return file;
}

bool is_folder(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::int64_t size_of_file(const Descriptor& file, const std::string& path) {
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) fail_storage(fmt::format("ask the size of '{}'", path), errno);
  return status.st_size;
}

void resize_file(const Descriptor& file, const std::string& path, std::int64_t bytes) {
  if (uninterrupted([&] { return ::ftruncate(file.get(), bytes); }) != 0)
    fail_storage(fmt::format("give '{}' a size of {} bytes", path, bytes), errno);
}

std::int64_t write_all(const Descriptor& file, const std::string& path, std::int64_t offset, std::span<iovec> parts) {
  std::int64_t calls = 0;
  parts = drop_front(parts, 0);
  while (!parts.empty()) {
    const std::size_t count = std::min<std::size_t>(parts.size(), IOV_MAX);
    storage_call_begins();
    const ssize_t written = uninterrupted([&] {
      ++calls;
      return ::pwritev(file.get(), parts.data(), static_cast<int>(count), offset);
    });
    if (written <= 0)
      fail_storage(fmt::format("write {} bytes at offset {} of '{}'", bytes_of(parts), offset, path),
                   written < 0 ? errno : EIO);
    offset += written;
    parts = drop_front(parts, static_cast<std::size_t>(written));
  }
  return calls;
}

void write_all(const Descriptor& file, const std::string& path, std::int64_t offset, std::span<const std::byte> bytes) {
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  write_all(file, path, offset, std::span(&part, 1));
}

std::int64_t read_all(const Descriptor& file, const std::string& path, std::int64_t offset,
                      std::span<std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = uninterrupted([&] {
      return ::pread(file.get(), bytes.data() + done, bytes.size() - done, offset + static_cast<std::int64_t>(done));
    });
    if (got == 0) break;
    if (got < 0) fail_storage(fmt::format("read {} bytes at offset {} of '{}'", bytes.size(), offset, path), errno);
    done += static_cast<std::size_t>(got);
  }
  return static_cast<std::int64_t>(done);
}

void sync_file(const std::string& path) {
  const Descriptor file = open_file(path, O_RDONLY);
  storage_call_begins();
  if (uninterrupted([&] { return ::fsync(file.get()); }) != 0)
    fail_storage(fmt::format("bring '{}' to stable storage", path), errno);
}

void sync_data(const Descriptor& file, const std::string& path) {
  storage_call_begins();
  if (uninterrupted([&] { return ::fdatasync(file.get()); }) != 0)
    fail_storage(fmt::format("bring '{}' to stable storage", path), errno);
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path();
  const Descriptor names = open_file(folder, O_RDONLY | O_DIRECTORY);
  storage_call_begins();
  if (uninterrupted([&] { return ::fsync(names.get()); }) == 0) return;
  if (errno == EINVAL || errno == ENOTSUP) return;  // a file system whose folders need no such call
  fail_storage(fmt::format("bring the name of '{}' in its folder to stable storage", path), errno);
}

GrowingFile::GrowingFile(std::string path)
    : path_(std::move(path)), file_(open_file(path_, O_RDWR)), bytes_(size_of_file(file_, path_)) {}

// Never by ftruncate: another process may have written further already, and would lose it. Where the file system has no
// fallocate, no room for the surplus, or is interrupted all the time and begins anew each time, the file grows by being
// written. So it does at a limit for the size of files, which the surplus keeps away from.
void GrowingFile::ensure(std::int64_t bytes) {
  if (bytes <= bytes_) return;
  const std::int64_t limit = file_size_limit().value_or(std::numeric_limits<std::int64_t>::max());
  const std::int64_t target = std::min(bytes + bytes / 8, limit);
  int tries = 3;
  while (target > bytes_ && ::fallocate(file_.get(), 0, bytes_, target - bytes_) != 0 && errno == EINTR &&
         --tries > 0) {
  }
  bytes_ = std::max(bytes, target);
}

// What a limit for the size of files does not allow is told by who writes there.
void GrowingFile::reach(std::int64_t bytes) {
  ensure(bytes);
  if (bytes > file_size_limit().value_or(bytes) || size_of_file(file_, path_) >= bytes) return;
  constexpr std::byte zero{};
  write_all(file_, path_, bytes - 1, std::span(&zero, 1));
}

}  // namespace thalweg::storage
