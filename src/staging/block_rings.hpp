// The blocks of a collection that a writer has in the staging memory of its node: a ring of moments, and the blocks of
// variables without records. Addresses, ids and places in memory are made from each other here alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "staging/block_id.hpp"
#include "staging/block_ring.hpp"

namespace thalweg::staging {

class BlockRings {
 public:
  BlockRings() = default;
  // first: id of the first block; those of a slot follow each other, slot after slot, and then come the fixed ones.
  BlockRings(const BlockRing& moments, const BlockRing& fixed, BlockId first)
      : moments_(moments), fixed_(fixed), first_(first) {}

  const BlockRing& moments() const { return moments_; }
  const BlockRing& fixed() const { return fixed_; }
  BlockId first_id() const { return first_; }
  std::int64_t depth() const { return moments_.shape().depth; }

  // How many blocks there are, and the place of one among them.
  std::int64_t size() const { return fixed_begin() + fixed_.shape().blocks; }
  std::int64_t place(const BlockAddress& of) const {
    return of.is_fixed() ? fixed_begin() + of.block : moments_.slot_of(of.moment) * moments_.shape().blocks + of.block;
  }

  BlockId id(const BlockAddress& of) const { return first_ + place(of); }
  bool has(BlockId id) const { return id >= first_ && id - first_ < size(); }
  // By the writer, of a block that it was told of and has not released.
  BlockAddress address(BlockId id) const {
    const std::int64_t place = id - first_;
    if (place >= fixed_begin()) return {BlockAddress::fixed, place - fixed_begin()};
    const std::int64_t blocks = moments_.shape().blocks;
    return {moments_.moment_in(place / blocks, place % blocks), place % blocks};
  }

  BlockState& state(const BlockAddress& of) const { return ring_of(of).state(slot_of(of), of.block); }
  // The first byte of the slot's worth of memory that the block lies in, and the number of the block's place there
  // among all that blocks may have. Of a block that takes pieces, or one that its writer has.
  std::byte* memory(const BlockAddress& of) const { return ring_of(of).room_data(room_of(of)); }
  std::int64_t memory_number(const BlockAddress& of) const {
    return of.is_fixed() ? fixed_begin() + of.block : room_of(of) * moments_.shape().blocks + of.block;
  }
  bool is_open(const BlockAddress& of) const { return of.is_fixed() || moments_.is_open(of.moment, of.block); }
  // As BlockRing::takes_pieces.
  bool takes_pieces(const BlockAddress& of) const {
    return of.is_fixed() || moments_.takes_pieces(of.moment, of.block);
  }
  // As BlockRing::arrive.
  bool arrive(const BlockAddress& of, std::uint32_t pieces, std::uint32_t expected, std::uint64_t checksum) const {
    return ring_of(of).arrive(of.is_fixed() ? 0 : of.moment, of.block, pieces, expected, checksum);
  }
  // As BlockRing::release; of a block of a moment.
  void release(const BlockAddress& of) const { moments_.release(slot_of(of), of.block); }

 private:
  const BlockRing& ring_of(const BlockAddress& of) const { return of.is_fixed() ? fixed_ : moments_; }
  std::int64_t slot_of(const BlockAddress& of) const { return of.is_fixed() ? 0 : moments_.slot_of(of.moment); }
  std::int64_t room_of(const BlockAddress& of) const {
    return of.is_fixed() ? 0 : moments_.room_of(slot_of(of), of.block);
  }
  std::int64_t fixed_begin() const { return depth() * moments_.shape().blocks; }

  BlockRing moments_;
  BlockRing fixed_;
  BlockId first_{0};
};

}  // namespace thalweg::staging
