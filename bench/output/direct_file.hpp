// A file written with pwrite, past the page cache where that is asked for and the file system allows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace bench {

constexpr std::int64_t alignment_bytes = 4096;

inline std::int64_t align_up(std::int64_t bytes) {
  return (bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
}

// Memory that O_DIRECT accepts, touched beforehand.
class AlignedBuffer {
 public:
  explicit AlignedBuffer(std::int64_t bytes);
  std::byte* data() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> bytes_;
};

class DirectFile {
 public:
  DirectFile(const std::string& path, bool direct);
  ~DirectFile();
  DirectFile(const DirectFile&) = delete;
  DirectFile& operator=(const DirectFile&) = delete;

  void write(const void* data, std::int64_t bytes, std::int64_t offset);

 private:
  int descriptor_;
};

}  // namespace bench
