#include "storage/scratch_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "storage/striping.hpp"

namespace thalweg::storage {
namespace {

void copy_range(const Descriptor& from, const Descriptor& to, const std::string& path, std::int64_t begin,
                std::int64_t end) {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(end - begin, std::int64_t{1} << 20)));
  while (begin < end) {
    const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(end - begin, std::ssize(buffer)));
    const std::int64_t got = read_all(from, "header in memory", begin, std::span(buffer).first(wanted));
    if (got == 0) return;
    write_all(to, path, begin, std::span<const std::byte>(buffer).first(static_cast<std::size_t>(got)));
    begin += got;
  }
}

}  // namespace

ScratchFile::ScratchFile() : file_(::memfd_create("thalweg-header", MFD_CLOEXEC)) {
  if (!file_) fail_storage("create a file in memory for a header", errno);
  path_ = fmt::format("/proc/self/fd/{}", file_.get());
}

ScratchFile::Name::Name(const ScratchFile& file) {
  const char* const folder = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  std::random_device random;
  int result = 0;
  do {
    path_ = fmt::format("{}/thalweg-header-{}-{:08x}{:08x}", folder, ::getpid(), random(), random());
    result = ::symlink(file.path_.c_str(), path_.c_str());
  } while (result != 0 && errno == EEXIST);
  if (result != 0) fail_storage(fmt::format("make the name '{}' for a header in memory", path_), errno);
}

ScratchFile::Name::~Name() {
  ::unlink(path_.c_str());
}

void ScratchFile::write(std::span<const std::byte> bytes) const {
  write_all(file_, path_, 0, bytes);
}

std::vector<std::byte> ScratchFile::read(std::int64_t bytes) const {
  std::vector<std::byte> found(static_cast<std::size_t>(bytes));
  found.resize(static_cast<std::size_t>(read_all(file_, "header in memory", 0, found)));
  return found;
}

void ScratchFile::publish(const std::string& path, std::int64_t least_bytes, const config::Striping& striping) const {
  Descriptor real = make_striped(path, striping);
  try {
    fill(real, path, least_bytes);
    real.close(path);
  } catch (...) {
    ::unlink(path.c_str());  // half a header is of no use to anyone, and would be in the way of the next try
    throw;
  }
}

void ScratchFile::fill(const Descriptor& real, const std::string& path, std::int64_t least_bytes) const {
  const std::int64_t size = size_of_file(file_, path_);
  resize_file(real, path, std::max(size, least_bytes));
  for (std::int64_t end = 0; end < size;) {
    const std::int64_t begin = ::lseek(file_.get(), end, SEEK_DATA);
    if (begin < 0) break;  // nothing but a hole is left
    end = ::lseek(file_.get(), begin, SEEK_HOLE);
    copy_range(file_, real, path, begin, end);
  }
}

}  // namespace thalweg::storage
