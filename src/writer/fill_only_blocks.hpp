// Encoded blocks that nobody feeds. They hold nothing but fill values, so they are encoded once: those of records not
// in their slots, which several writers may share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "writer/chunk_sizes.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class FillOnlyBlocks {
 public:
  // Encodes them, and keeps what their chunks have become in `sizes`.
  FillOnlyBlocks(const block::CollectionPlan& plan, ChunkSizes& sizes);

  // Null: the block's data are in its slot.
  const std::byte* data(const ReadyBlock& ready) const;

 private:
  void encode(const block::CollectionPlan& plan, const ReadyBlock& of, std::byte* data, ChunkSizes& sizes);

  std::map<std::int64_t, std::vector<std::byte>> record_data_;
};

}  // namespace thalweg::writer
