// Knows where the data of a block are, and fills its holes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/counters.hpp"
#include "writer/fill_only_blocks.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class BlockMemory {
 public:
  BlockMemory(const block::CollectionPlan& plan, const FillOnlyBlocks& fill_only, profile::WriterCounters& counters);

  // The block's first element. index_in_file: of its record; means nothing for fixed blocks and chunks.
  std::byte* data(const ReadyBlock& ready, std::int64_t index_in_file) const;
  // The same, of a block that is not encoded.
  std::byte* data_with_holes(const ReadyBlock& ready, std::int64_t index_in_file);
  // Of a block that is about to be encoded: in its slot, which overwrites its holes, or, of a fixed one, in a copy.
  std::byte* data_to_encode(const ReadyBlock& ready);

 private:
  static constexpr std::int64_t not_filled = -1;

  std::byte* copy_to_encode(const ReadyBlock& ready) const;
  std::int64_t page_shift(const ReadyBlock& ready, std::int64_t index_in_file) const;
  std::int64_t& filled_at(const ReadyBlock& ready);

  const block::CollectionPlan& plan_;
  const FillOnlyBlocks& fill_only_;
  profile::WriterCounters& counters_;
  std::vector<std::int64_t> filled_at_;  // by slot and block: the page shift at which its holes are filled
};

}  // namespace thalweg::writer
