// Complete blocks on their way to the writer: many clients push, one writer pops, first come first served. In shared
// memory; its capacity is the number of all blocks, each of which is in it at most once, so a push always succeeds.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "staging/block_id.hpp"

namespace thalweg::staging {

class ReadyQueue {
 public:
  static std::int64_t bytes_for(std::int64_t blocks) { return 64 + 4 * capacity_for(blocks); }

  ReadyQueue() = default;
  ReadyQueue(std::byte* memory, std::int64_t blocks)
      : mask_(static_cast<std::uint64_t>(capacity_for(blocks) - 1)),
        tail_(reinterpret_cast<std::atomic<std::uint64_t>*>(memory)),
        cells_(reinterpret_cast<std::atomic<std::uint32_t>*>(memory + 64)) {}

  void push(BlockId block) const {
    const std::uint64_t place = tail_->fetch_add(1, std::memory_order_relaxed);
    cells_[place & mask_].store(static_cast<std::uint32_t>(block) + 1, std::memory_order_release);
  }

  // By the writer only.
  std::optional<BlockId> pop() {
    const std::uint32_t value = cells_[head_ & mask_].exchange(0, std::memory_order_acquire);
    if (value == 0) return std::nullopt;
    ++head_;
    return BlockId{value - 1};
  }

 private:
  static std::int64_t capacity_for(std::int64_t blocks) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(blocks < 2 ? 2 : blocks)));
  }

  std::uint64_t mask_ = 0;
  std::uint64_t head_ = 0;
  std::atomic<std::uint64_t>* tail_ = nullptr;
  std::atomic<std::uint32_t>* cells_ = nullptr;
};

}  // namespace thalweg::staging
