#include "staging/block_ring.hpp"

#include <algorithm>

namespace thalweg::staging {

std::int64_t RingShape::state_bytes() const {
  const std::int64_t bytes = static_cast<std::int64_t>(sizeof(RingProgress)) +
                             depth * blocks * static_cast<std::int64_t>(sizeof(BlockState)) +
                             blocks * static_cast<std::int64_t>(sizeof(BlockReleases)) + depth * 8 +
                             clients * variables * 8 + BlockRooms::bytes_for(depth, blocks);
  return (bytes + 63) / 64 * 64;
}

BlockRing::BlockRing(const RingShape& shape, std::byte* states, std::byte* data, std::byte* burst)
    : shape_(shape), data_(data), burst_(burst) {
  progress_ = reinterpret_cast<RingProgress*>(states);
  states += sizeof(RingProgress);
  states_ = reinterpret_cast<BlockState*>(states);
  states += shape.depth * shape.blocks * static_cast<std::int64_t>(sizeof(BlockState));
  releases_ = reinterpret_cast<BlockReleases*>(states);
  states += shape.blocks * static_cast<std::int64_t>(sizeof(BlockReleases));
  completed_ = reinterpret_cast<std::atomic<std::uint64_t>*>(states);
  states += shape.depth * 8;
  last_put_ = reinterpret_cast<std::atomic<std::int64_t>*>(states);
  rooms_ = BlockRooms(shape.depth, shape.blocks, states + shape.clients * shape.variables * 8);
}

BlockRing BlockRing::with_progress(std::byte* memory) const {
  BlockRing ring = *this;
  ring.progress_ = reinterpret_cast<RingProgress*>(memory);
  return ring;
}

void BlockRing::initialise(std::int64_t due) {
  initialise_due(due);
  rooms_.initialise();
  for (std::int64_t slot = 0; slot < shape_.depth; ++slot)
    for (std::int64_t block = 0; block < shape_.blocks; ++block)
      state(slot, block).open.store(static_cast<std::uint32_t>(slot), std::memory_order_release);
}

std::int64_t BlockRing::most_put() const {
  std::int64_t most = 0;
  for (std::int64_t place = 0; place < shape_.clients * shape_.variables; ++place)
    most = std::max(most, last_put_[place].load(std::memory_order_relaxed));
  return most;
}

void BlockRing::ask_for(std::int64_t moments) const {
  std::int64_t known = due();
  while (known < moments && !progress_->due.compare_exchange_weak(known, moments, std::memory_order_acq_rel)) {
  }
}

bool BlockRing::arrive(std::int64_t moment, std::int64_t block, std::uint32_t pieces, std::uint32_t expected,
                       std::uint64_t checksum) const {
  BlockState& block_state = state(slot_of(moment), block);
  block_state.checksum.fetch_add(checksum, std::memory_order_relaxed);
  return pieces > 0 && block_state.arrivals.fetch_add(pieces, std::memory_order_acq_rel) + pieces == expected;
}

// Moments are less than 2^31 apart, so the difference says which one is ahead also where the number in the block has
// begun again. A block that is just being released may look as if it had no pieces.
bool BlockRing::has_all_pieces(std::int64_t moment, std::int64_t block, std::uint32_t expected) const {
  const BlockState& of = state(slot_of(moment), block);
  if (is_open(moment, block) && of.arrivals.load(std::memory_order_acquire) == expected) return true;
  return static_cast<std::int32_t>(of.open.load(std::memory_order_acquire) - static_cast<std::uint32_t>(moment)) > 0;
}

std::int64_t BlockRing::withdraw_burst_rooms(std::int64_t bytes, const std::function<void(std::byte*)>& give_up) const {
  std::int64_t withdrawn = 0;
  for (std::int64_t room = shape_.depth; room-- > shape_.usual_depth() && withdrawn < bytes;) {
    if (!rooms_.withdraw(room)) continue;
    give_up(room_data(room));
    withdrawn += shape_.slot_bytes;
  }
  return withdrawn;
}

// The waiter counts itself before it looks at the block for the last time, and the writer looks at the count after the
// store: with sequentially consistent order one of the two sees the other.
void BlockRing::release(std::int64_t slot, std::int64_t block) const {
  BlockState& block_state = state(slot, block);
  block_state.arrivals.store(0, std::memory_order_relaxed);
  block_state.checksum.store(0, std::memory_order_relaxed);
  rooms_.leave(block, block_state.room);
  block_state.open.fetch_add(static_cast<std::uint32_t>(shape_.depth), std::memory_order_seq_cst);
  BlockReleases& all = releases(block);
  all.count.fetch_add(1, std::memory_order_seq_cst);
  if (all.waiters.load(std::memory_order_seq_cst) != 0) futex_wake_all(all.count);
}

}  // namespace thalweg::staging
