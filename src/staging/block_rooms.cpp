#include "staging/block_rooms.hpp"

#include <algorithm>
#include <bit>

namespace thalweg::staging {

void BlockRooms::initialise() const {
  for (std::int64_t block = 0; block < blocks_; ++block)
    for (std::int64_t w = 0; w < words_for(rooms_); ++w) {
      const std::int64_t bits = std::min<std::int64_t>(64, rooms_ - w * 64);
      word(block, w).store(~std::uint64_t{0} >> (64 - bits), std::memory_order_release);
    }
}

// A room may come here through another process, which took it when the writer had left it. ThreadSanitizer sees the
// atomics of its own process alone, and learns the order of the two from the word in which the room was left.
void BlockRooms::see_hand_over([[maybe_unused]] std::int64_t block, [[maybe_unused]] std::int64_t room) const {
#ifdef __SANITIZE_THREAD__
  static_cast<void>(word(block, room / 64).load(std::memory_order_acquire));
#endif
}

// Of two that take a room for the same block at once, one gives its room back: then the other has one.
bool BlockRooms::enter(std::int64_t block, Held& held) const {
  std::uint32_t known = held.load(std::memory_order_acquire);
  if (known != 0) {
    see_hand_over(block, known - 1);
    return true;
  }
  const std::int64_t room = take(block);
  if (room == none) return held.load(std::memory_order_acquire) != 0;
  if (!held.compare_exchange_strong(known, static_cast<std::uint32_t>(room + 1), std::memory_order_acq_rel))
    give_back(block, room);
  return true;
}

void BlockRooms::leave(std::int64_t block, Held& held) const {
  if (const std::uint32_t known = held.exchange(0, std::memory_order_acq_rel); known != 0) give_back(block, known - 1);
}

std::int64_t BlockRooms::take(std::int64_t block) const {
  for (std::int64_t w = 0; w < words_for(rooms_); ++w) {
    std::atomic<std::uint64_t>& of = word(block, w);
    for (std::uint64_t free = of.load(std::memory_order_acquire); free != 0;)
      if (of.compare_exchange_weak(free, free & (free - 1), std::memory_order_acq_rel))
        return w * 64 + std::countr_zero(free);
  }
  return none;
}

bool BlockRooms::take(std::int64_t block, std::int64_t room) const {
  const std::uint64_t bit = std::uint64_t{1} << (room % 64);
  return (word(block, room / 64).fetch_and(~bit, std::memory_order_acq_rel) & bit) != 0;
}

std::int64_t BlockRooms::count_free() const {
  std::int64_t count = 0;
  for (std::int64_t block = 0; block < blocks_; ++block)
    for (std::int64_t w = 0; w < words_for(rooms_); ++w)
      count += std::popcount(word(block, w).load(std::memory_order_relaxed));
  return count;
}

bool BlockRooms::withdraw(std::int64_t room) const {
  for (std::int64_t block = 0; block < blocks_; ++block) {
    if (take(block, room)) continue;
    while (block-- > 0) give_back(block, room);
    return false;
  }
  return true;
}

void BlockRooms::give_back(std::int64_t block, std::int64_t room) const {
  word(block, room / 64).fetch_or(std::uint64_t{1} << (room % 64), std::memory_order_acq_rel);
}

}  // namespace thalweg::staging
