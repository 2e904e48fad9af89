#include "staging/block_ring.hpp"

namespace thalweg::staging {

std::int64_t RingShape::state_bytes() const {
  const std::int64_t bytes = static_cast<std::int64_t>(sizeof(RingProgress)) +
                             depth * blocks * static_cast<std::int64_t>(sizeof(BlockState)) + depth * 8 +
                             clients * variables * 8;
  return (bytes + 63) / 64 * 64;
}

BlockRing::BlockRing(const RingShape& shape, std::byte* states, std::byte* data) : shape_(shape), data_(data) {
  progress_ = reinterpret_cast<RingProgress*>(states);
  states += sizeof(RingProgress);
  states_ = reinterpret_cast<BlockState*>(states);
  states += shape.depth * shape.blocks * static_cast<std::int64_t>(sizeof(BlockState));
  completed_ = reinterpret_cast<std::atomic<std::uint64_t>*>(states);
  last_put_ = reinterpret_cast<std::atomic<std::int64_t>*>(states + shape.depth * 8);
}

BlockRing BlockRing::with_progress(std::byte* memory) const {
  BlockRing ring = *this;
  ring.progress_ = reinterpret_cast<RingProgress*>(memory);
  return ring;
}

void BlockRing::initialise(std::int64_t due) {
  initialise_due(due);
  for (std::int64_t slot = 0; slot < shape_.depth; ++slot)
    for (std::int64_t block = 0; block < shape_.blocks; ++block)
      state(slot, block).open.store(static_cast<std::uint32_t>(slot), std::memory_order_release);
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

// The waiter counts itself before it looks at `open` for the last time, and the writer looks at the count after the
// store: with sequentially consistent order one of the two sees the other.
void BlockRing::release(std::int64_t slot, std::int64_t block) const {
  BlockState& block_state = state(slot, block);
  block_state.arrivals.store(0, std::memory_order_relaxed);
  block_state.checksum.store(0, std::memory_order_relaxed);
  block_state.open.fetch_add(static_cast<std::uint32_t>(shape_.depth), std::memory_order_seq_cst);
  if (block_state.waiters.load(std::memory_order_seq_cst) != 0) futex_wake_all(block_state.open);
}

}  // namespace thalweg::staging
