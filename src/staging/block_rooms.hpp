// Where in memory the blocks of a ring are. A block has rooms, at first as many as the ring has slots. That of a slot
// takes the lowest free one before its first piece comes, and leaves it when it is written: as long as the storage
// keeps up, the same few rooms are in use, whose pages are mapped and in the caches, and only a burst touches more. A
// view on shared memory; every process of the node holds one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thalweg::staging {

class BlockRooms {
 public:
  static std::int64_t bytes_for(std::int64_t rooms, std::int64_t blocks) { return words_for(rooms) * blocks * 8; }

  BlockRooms() = default;
  // memory: bytes_for(rooms, blocks), 8-byte aligned.
  BlockRooms(std::int64_t rooms, std::int64_t blocks, std::byte* memory)
      : rooms_(rooms), blocks_(blocks), free_(reinterpret_cast<std::atomic<std::uint64_t>*>(memory)) {}
  // By one process, before any use: all are free.
  void initialise() const;

  // held: the room that a slot's block has, and one; 0: none.
  using Held = std::atomic<std::uint32_t>;

  // Whether it has one, or takes one; false: none is free. Any number of processes may do so at once.
  bool enter(std::int64_t block, Held& held) const;
  // It is free for the block of another slot.
  void leave(std::int64_t block, Held& held) const;

  // Of all blocks together; those that were taken away are not free.
  std::int64_t count_free() const;

  // Takes away a room of all blocks, for ever; false: one of them has it now.
  bool withdraw(std::int64_t room) const;

 private:
  static constexpr std::int64_t none = -1;
  static std::int64_t words_for(std::int64_t rooms) { return (rooms + 63) / 64; }
  std::atomic<std::uint64_t>& word(std::int64_t block, std::int64_t of) const {
    return free_[block * words_for(rooms_) + of];
  }
  std::int64_t take(std::int64_t block) const;
  bool take(std::int64_t block, std::int64_t room) const;
  void give_back(std::int64_t block, std::int64_t room) const;
  void see_hand_over(std::int64_t block, std::int64_t room) const;

  std::int64_t rooms_ = 0;
  std::int64_t blocks_ = 0;
  std::atomic<std::uint64_t>* free_ = nullptr;  // a bit for each room of a block
};

}  // namespace thalweg::staging
