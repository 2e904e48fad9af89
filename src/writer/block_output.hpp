// Blocks take their last step here: as runs of a file, as objects, or to the model's own procedure.
#pragma once

#include <cstdint>

#include "writer/block_memory.hpp"
#include "writer/block_place.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/opened_file.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class BlockOutput {
 public:
  BlockOutput(const store::CollectionPlan& plan, const ChunkSizes& sizes, BlockMemory& memory)
      : plan_(plan), sizes_(sizes), memory_(memory) {}

  // Writes the block, or adds what is to be written to `runs`, which has an entry for each part of the file.
  void put(OpenedFile& file, const ReadyBlock& ready, const BlockPlace& place, RunsOfParts& runs);

 private:
  std::byte* data_of(const ReadyBlock& ready, const BlockPlace& place,
                     const std::vector<transform::EncodedSize>* sizes);
  void add_runs(const ReadyBlock& ready, const BlockPlace& place, std::vector<store::DataRun>& runs);
  void put_objects(FileWriter& file, const ReadyBlock& ready, const BlockPlace& place);
  void give_to_procedure(FileWriter& file, const ReadyBlock& ready, const BlockPlace& place);

  const store::CollectionPlan& plan_;
  const ChunkSizes& sizes_;
  BlockMemory& memory_;
};

}  // namespace thalweg::writer
