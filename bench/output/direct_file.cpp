#include "direct_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "check.hpp"

namespace bench {

void AlignedBuffer::Free::operator()(std::byte* memory) const {
  std::free(memory);
}

AlignedBuffer::AlignedBuffer(std::int64_t bytes) {
  const auto whole = static_cast<std::size_t>(align_up(bytes));
  bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment_bytes, whole)));
  check_system(bytes_ != nullptr, "aligned_alloc");
  std::memset(bytes_.get(), 1, whole);
}

DirectFile::DirectFile(const std::string& path, bool direct)
    : descriptor_(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | (direct ? O_DIRECT : 0), 0644)) {
  check_system(descriptor_ >= 0, "open " + path + (direct ? " with O_DIRECT" : ""));
}

DirectFile::~DirectFile() {
  close(descriptor_);
}

void DirectFile::write(const void* data, std::int64_t bytes, std::int64_t offset) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = pwrite(descriptor_, from, static_cast<std::size_t>(bytes), offset);
    check_system(written > 0, "pwrite");
    from += written;
    offset += written;
    bytes -= written;
  }
}

}  // namespace bench
