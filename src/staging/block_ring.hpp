// The blocks of one collection on one node: `depth` slots, each with one block for every (variable, I/O domain) that
// this node writes. Moment m uses slot m mod depth, so clients may run ahead of each other by up to depth moments
// without any search or lock. Where in memory a block of a slot is follows from what is free (block_rooms.hpp). A view
// on shared memory; every process of the node holds one.
//
// Life of a block: open for moment m -> pieces arrive -> complete (the last arriver puts it into the ready queue)
// -> written -> open for moment m + depth.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "staging/block_rooms.hpp"
#include "staging/file_progress.hpp"
#include "staging/futex.hpp"

namespace thalweg::staging {

struct alignas(64) BlockState {
  std::atomic<std::uint32_t> open{0};  // moment (modulo 2^32) whose pieces may be put
  std::atomic<std::uint32_t> arrivals{0};
  BlockRooms::Held room{0};
  std::atomic<std::uint64_t> checksum{0};
};

// Of a block in all slots.
struct alignas(64) BlockReleases {
  Word count{0};
  std::atomic<std::uint32_t> waiters{0};
};

// What the node's writer and those who wait for it tell each other of a collection.
struct alignas(64) RingProgress {
  FileProgress files;
  // Leading moments that the writer writes as soon as their blocks are complete; -1: nothing at all, not even blocks
  // without record. Only grows.
  std::atomic<std::int64_t> due{0};
};

// Sizes of a ring; equal in all processes of the node.
struct RingShape {
  std::int64_t depth = 1;
  std::int64_t blocks = 0;      // a slot
  std::int64_t slot_bytes = 0;  // data of a slot, a multiple of the page
  std::int64_t variables = 0;   // for the table of last puts
  std::int64_t clients = 0;
  std::int64_t burst_slots = 0;  // of the depth: their memory is of its own, and used in bursts only

  std::int64_t usual_depth() const { return depth - burst_slots; }
  std::int64_t state_bytes() const;
  std::int64_t data_bytes() const { return usual_depth() * slot_bytes; }
  std::int64_t burst_bytes() const { return burst_slots * slot_bytes; }
};

class BlockRing {
 public:
  BlockRing() = default;
  // states: state_bytes() of zeroed, 64-byte aligned memory; data and burst: page-aligned, data_bytes() and
  // burst_bytes().
  BlockRing(const RingShape& shape, std::byte* states, std::byte* data, std::byte* burst = nullptr);
  // The same blocks, of which several writers write some: each has its own progress, in zeroed memory of its size.
  BlockRing with_progress(std::byte* memory) const;
  static constexpr std::int64_t all_moments = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t nothing = -1;
  // By one process, before any use: slot s is open for moment s. due: RingProgress::due.
  void initialise(std::int64_t due = all_moments);
  void initialise_due(std::int64_t due) const { progress_->due.store(due, std::memory_order_release); }

  const RingShape& shape() const { return shape_; }
  // A collection that a library writes has none.
  bool is_there() const { return progress_ != nullptr; }
  std::int64_t slot_of(std::int64_t moment) const { return moment % shape_.depth; }
  // The first byte of a room, which has the size of a slot.
  std::byte* room_data(std::int64_t room) const {
    const std::int64_t usual = shape_.usual_depth();
    return room < usual ? data_ + room * shape_.slot_bytes : burst_ + (room - usual) * shape_.slot_bytes;
  }
  // Of a block that has one.
  std::int64_t room_of(std::int64_t slot, std::int64_t block) const {
    const std::int64_t room = std::int64_t{state(slot, block).room.load(std::memory_order_acquire)} - 1;
    assert(room >= 0);
    return room;
  }
  // Sleeps here who waits until a block takes pieces, after counting itself among the waiters.
  BlockReleases& releases(std::int64_t block) const { return releases_[block]; }
  BlockState& state(std::int64_t slot, std::int64_t block) const { return states_[slot * shape_.blocks + block]; }

  // Of a block that its writer was told of and has not released.
  std::int64_t moment_in(std::int64_t slot, std::int64_t block) const {
    return state(slot, block).open.load(std::memory_order_relaxed);
  }
  bool is_open(std::int64_t moment, std::int64_t block) const {
    return state(slot_of(moment), block).open.load(std::memory_order_acquire) == static_cast<std::uint32_t>(moment);
  }

  // Whether pieces of the moment may be put: it is open, and has a room, which it takes if it has none yet.
  bool takes_pieces(std::int64_t moment, std::int64_t block) const {
    return is_open(moment, block) && rooms_.enter(block, state(slot_of(moment), block).room);
  }
  // Takes rooms away that only a burst uses, until so many bytes are gone or all that is free; give_up: what is done
  // with the memory of each. Returns how many bytes. By one process.
  std::int64_t withdraw_burst_rooms(std::int64_t bytes, const std::function<void(std::byte*)>& give_up) const;

  // So many pieces of the moment are in, or were: the writer may be done with the block.
  bool has_all_pieces(std::int64_t moment, std::int64_t block, std::uint32_t expected) const;

  // A client's pieces of a block are in; none: only a part of one, of which the rest follows. True for the arrival that
  // completes the block.
  bool arrive(std::int64_t moment, std::int64_t block, std::uint32_t pieces, std::uint32_t expected,
              std::uint64_t checksum) const;

  // The writer is done with the block: opens it for the moment of the next round, leaves its room, and wakes who waits
  // for that.
  void release(std::int64_t slot, std::int64_t block) const;

  FileProgress& progress() const { return progress_->files; }
  // Of a ring without memory, which a collection has that a library writes, nothing.
  std::int64_t due() const { return !is_there() ? nothing : progress_->due.load(std::memory_order_acquire); }

  // So many leading moments are to be written; whoever asks rings the writer's bell then.
  void ask_for(std::int64_t moments) const;

  // Number of the last moment of a variable that a client put, plus one; for reports.
  std::atomic<std::int64_t>& last_put(std::int64_t client, std::int64_t variable) const {
    return last_put_[client * shape_.variables + variable];
  }

  // Leading moments of which some client of the node has put something; for reports.
  std::int64_t most_put() const;
  // That could take another moment now; for reports.
  std::int64_t free_blocks() const { return rooms_.count_free(); }

  // Counts completed blocks of a slot; true when all of a moment are (then it is good to ring the bell for small ones).
  bool completes_moment(std::int64_t moment) const {
    return (completed_[slot_of(moment)].fetch_add(1, std::memory_order_relaxed) + 1) %
               static_cast<std::uint64_t>(shape_.blocks) ==
           0;
  }

 private:
  RingShape shape_;
  RingProgress* progress_ = nullptr;
  BlockState* states_ = nullptr;
  BlockReleases* releases_ = nullptr;
  std::atomic<std::uint64_t>* completed_ = nullptr;
  std::atomic<std::int64_t>* last_put_ = nullptr;
  BlockRooms rooms_;
  std::byte* data_ = nullptr;
  std::byte* burst_ = nullptr;
};

}  // namespace thalweg::staging
