// What the collections of an engine share where blocks leave the staging memory before they are written: the file that
// keeps them, and the memory from which they are written.
#pragma once

#include <cstdlib>
#include <memory>

#include "base/error.hpp"
#include "block/block_map.hpp"
#include "storage/spill_file.hpp"

namespace thalweg::writer {

class Spill {
 public:
  explicit Spill(const config::SpillSettings& settings) : file(settings) {}

  static std::int64_t whole_pages(std::int64_t bytes) {
    return (bytes + block::page_bytes - 1) / block::page_bytes * block::page_bytes;
  }

  // So many bytes from a page on, which hold nothing. What was given before is gone.
  std::byte* memory(std::int64_t bytes) {
    if (bytes <= bytes_) return memory_.get();
    bytes_ = whole_pages(bytes);
    memory_.reset();
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(block::page_bytes, static_cast<std::size_t>(bytes_))));
    if (!memory_)
      fail(THALWEG_ERROR_MEMORY, "no {} bytes of memory to write blocks from; 'when-full: spill' needs them", bytes_);
    return memory_.get();
  }

  storage::SpillFile file;

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::int64_t bytes_ = 0;
};

}  // namespace thalweg::writer
