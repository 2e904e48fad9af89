#include "staging/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/file_size_limit.hpp"
#include "base/nameless_file.hpp"
#include "base/system_call.hpp"

namespace thalweg::staging {
namespace {

// Older headers lack these; older kernels answer EINVAL, which is ignored.
constexpr int populate_read = 22;
constexpr int populate_write = 23;

constexpr std::int64_t page = 4096;

void advise(std::byte* data, std::int64_t offset, std::int64_t bytes, int advice) {
  const std::int64_t begin = offset / page * page;
  madvise(data + begin, static_cast<std::size_t>(offset + bytes - begin), advice);
}

}  // namespace

SharedMemory SharedMemory::create(std::int64_t bytes, const char* name) {
  if (bytes > file_size_limit().value_or(bytes)) return create_segment(bytes);
  const int descriptor = memfd_create(name, MFD_CLOEXEC);
  if (descriptor < 0) fail(THALWEG_ERROR_MEMORY, "cannot create shared memory: {}", std::strerror(errno));
  if (uninterrupted([&] { return ftruncate(descriptor, bytes); }) != 0) {
    const std::string cause = std::strerror(errno);
    close(descriptor);
    fail(THALWEG_ERROR_MEMORY, "cannot create {} bytes of shared memory: {}; lower 'staging'", bytes, cause);
  }
  return {descriptor, bytes};
}

SharedMemory SharedMemory::create_in(const std::string& folder, std::int64_t bytes) {
  if (bytes > file_size_limit().value_or(bytes))
    fail(THALWEG_ERROR_MEMORY,
         "staging-folder: '{}': {} bytes are more than the limit for the size of files (ulimit -f); raise it, or lower "
         "'staging'",
         folder, bytes);
  const int descriptor = open_nameless_file(folder, usual_name);
  if (descriptor < 0)
    fail(THALWEG_ERROR_MEMORY,
         "staging-folder: cannot make a file in '{}': {}; set a folder that is there on each node and that the program "
         "may "
         "write to, or leave it out for memory",
         folder, std::strerror(errno));
  if (uninterrupted([&] { return fallocate(descriptor, 0, 0, bytes); }) != 0) {
    const std::string cause = std::strerror(errno);
    close(descriptor);
    fail(
        THALWEG_ERROR_MEMORY,
        "staging-folder: '{}' gives no room for {} bytes: {}; set a folder on a disk of the node that has it, or lower "
        "'staging'",
        folder, bytes, cause);
  }
  return {descriptor, bytes};
}

SharedMemory SharedMemory::attach(const Ticket& ticket) {
  if (ticket.segment >= 0) return attach_segment(static_cast<int>(ticket.segment), ticket.bytes);
  const std::string path = fmt::format("/proc/{}/fd/{}", ticket.pid, ticket.descriptor);
  const int descriptor = uninterrupted([&] { return open(path.c_str(), O_RDWR | O_CLOEXEC); });
  if (descriptor < 0)
    fail(THALWEG_ERROR_MEMORY,
         "cannot attach the node's shared memory at {}: {}; ranks of a node must see each other in /proc", path,
         std::strerror(errno));
  return {descriptor, ticket.bytes};
}

// A segment that is marked for removal can be attached as long as somebody has it.
SharedMemory SharedMemory::create_segment(std::int64_t bytes) {
  const int segment = shmget(IPC_PRIVATE, static_cast<std::size_t>(bytes), IPC_CREAT | 0600);
  if (segment < 0)
    fail(THALWEG_ERROR_MEMORY,
         "cannot create {} bytes of shared memory: {}; lower 'staging', or raise the limit for the size of files "
         "(ulimit -f), above which shared memory has to be a System V segment",
         bytes, std::strerror(errno));
  try {
    SharedMemory memory = attach_segment(segment, bytes);
    shmctl(segment, IPC_RMID, nullptr);
    return memory;
  } catch (...) {
    shmctl(segment, IPC_RMID, nullptr);
    throw;
  }
}

SharedMemory SharedMemory::attach_segment(int segment, std::int64_t bytes) {
  void* attached = shmat(segment, nullptr, 0);
  if (attached == reinterpret_cast<void*>(-1))
    fail(THALWEG_ERROR_MEMORY,
         "cannot attach {} bytes of shared memory: {}; ranks of a node must be in one IPC namespace where the size of "
         "files is limited (ulimit -f)",
         bytes, std::strerror(errno));
  SharedMemory memory;
  memory.segment_ = segment;
  memory.bytes_ = bytes;
  memory.data_ = static_cast<std::byte*>(attached);
  madvise(attached, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  return memory;
}

SharedMemory::SharedMemory(int descriptor, std::int64_t bytes) : descriptor_(descriptor), bytes_(bytes) {
  void* mapped = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) {
    const std::string cause = std::strerror(errno);
    close(descriptor_);
    fail(THALWEG_ERROR_MEMORY, "cannot map {} bytes of shared memory: {}; lower 'staging'", bytes, cause);
  }
  data_ = static_cast<std::byte*>(mapped);
  madvise(data_, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);  // where the system allows it for shared memory
}

SharedMemory::~SharedMemory() {
  release();
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      segment_(std::exchange(other.segment_, -1)),
      bytes_(std::exchange(other.bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  if (this != &other) {
    release();
    descriptor_ = std::exchange(other.descriptor_, -1);
    segment_ = std::exchange(other.segment_, -1);
    bytes_ = std::exchange(other.bytes_, 0);
    data_ = std::exchange(other.data_, nullptr);
  }
  return *this;
}

void SharedMemory::release() noexcept {
  if (data_ != nullptr && segment_ >= 0) shmdt(data_);
  if (data_ != nullptr && segment_ < 0) munmap(data_, static_cast<std::size_t>(bytes_));
  if (descriptor_ >= 0) close(descriptor_);
  data_ = nullptr;
  descriptor_ = -1;
  segment_ = -1;
}

Ticket SharedMemory::ticket() const {
  return {getpid(), descriptor_, bytes_, segment_};
}

void SharedMemory::allocate(std::int64_t offset, std::int64_t bytes) const {
  advise(data_, offset, bytes, populate_write);
}

// A read fault maps sixteen existing pages of shared memory at once, writable: four times cheaper than write faults.
void SharedMemory::map(std::int64_t offset, std::int64_t bytes) const {
  advise(data_, offset, bytes, populate_read);
}

void SharedMemory::remove(std::int64_t offset, std::int64_t bytes) const {
  advise(data_, offset, bytes, MADV_REMOVE);
}

}  // namespace thalweg::staging
