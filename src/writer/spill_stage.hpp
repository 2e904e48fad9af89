// Complete blocks leave the staging memory here before they are written, so that clients find free ones while the
// storage is slow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/counters.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/ready_block.hpp"
#include "writer/spill.hpp"

namespace thalweg::writer {

class SpillStage {
 public:
  SpillStage(const block::CollectionPlan& plan, const ChunkSizes& sizes, Spill& spill,
             profile::WriterCounters& counters)
      : plan_(plan), sizes_(sizes), spill_(spill), counters_(counters) {}

  // Saves a block in the spill's file and frees its slot; false if there is no room.
  bool save(ReadyBlock& ready);

  // Copies what is written next into the engine's memory, and frees its slots: a call to the storage may hang, so its
  // data are no longer where clients wait for room. What was moved out before is gone.
  void move_out(std::vector<ReadyBlock>& batch);

 private:
  std::int64_t room_bytes(const ReadyBlock& ready) const;
  std::int64_t page_bytes_of(const ReadyBlock& ready) const;
  template <typename Visit>
  void for_parts(const ReadyBlock& ready, const Visit& visit) const;
  void leave_slot(ReadyBlock& ready) const;
  void fetch(ReadyBlock& ready);
  void read_saved(const ReadyBlock& ready) const;

  const block::CollectionPlan& plan_;
  const ChunkSizes& sizes_;
  Spill& spill_;
  profile::WriterCounters& counters_;
};

}  // namespace thalweg::writer
