// Memory shared by the processes of a node, gone when they are, whatever kills them: it has no name in any file system
// (memfd), so nothing can be left behind, and the size of the shm tmpfs does not limit it. Where the limit for the size
// of files does (ulimit -f), it is a System V segment, which is no file and is marked for removal at once.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace thalweg::staging {

// What another process of the node needs to attach: valid while the creator lives and holds the memory.
struct Ticket {
  std::int64_t pid = 0;
  std::int64_t descriptor = -1;
  std::int64_t bytes = 0;
  std::int64_t segment = -1;  // of System V, in place of a descriptor
};

class SharedMemory {
 public:
  static constexpr const char* usual_name = "thalweg-staging";

  SharedMemory() = default;
  // Zero-filled memory of this many bytes; pages are made when first touched. name: that /proc shows. Errors: MEMORY.
  static SharedMemory create(std::int64_t bytes, const char* name = usual_name);
  // In a file without a name, in a folder: the machine may take pages back to the disk. All of its room is taken at
  // once, because nobody could be told later that there is none. Errors: MEMORY.
  static SharedMemory create_in(const std::string& folder, std::int64_t bytes);
  static SharedMemory attach(const Ticket& ticket);

  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }
  Ticket ticket() const;

  // Makes the pages of a part exist (allocate) or maps existing ones into this process (map). Quietly does nothing
  // where the kernel cannot: then first touches cost what they cost.
  void allocate(std::int64_t offset, std::int64_t bytes) const;
  void map(std::int64_t offset, std::int64_t bytes) const;
  // Gives whole pages back to the machine, for all who have the memory: the next touch finds zeros.
  void remove(std::int64_t offset, std::int64_t bytes) const;

 private:
  static SharedMemory create_segment(std::int64_t bytes);
  static SharedMemory attach_segment(int segment, std::int64_t bytes);
  SharedMemory(int descriptor, std::int64_t bytes);
  void release() noexcept;

  int descriptor_ = -1;
  int segment_ = -1;
  std::int64_t bytes_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace thalweg::staging
