// Blocks are gathered here to be written together.
#pragma once

#include "storage/sink.hpp"
#include "writer/block_memory.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class BlockOutput {
 public:
  BlockOutput(const block::CollectionPlan& plan, const ChunkSizes& sizes, BlockMemory& memory)
      : plan_(plan), sizes_(sizes), memory_(memory) {}

  // The block as it is to be written; its holes are filled.
  storage::BlockToWrite block(const ReadyBlock& ready, const block::PlaceInFile& place);

 private:
  const block::CollectionPlan& plan_;
  const ChunkSizes& sizes_;
  BlockMemory& memory_;
};

}  // namespace thalweg::writer
