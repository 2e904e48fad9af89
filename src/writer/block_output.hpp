// Blocks take their last step here: as runs of a file, as objects, or to the model's own procedure.
#pragma once

#include <cstdint>
#include <span>

#include "writer/block_memory.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/opened_file.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

// Where a block's record, or a block without record, lies in its file.
struct BlockPlace {
  std::int64_t index_in_file = 0;
  std::span<const std::int64_t> offsets;  // of chunks, where they do not follow from arithmetic
  double time_s = 0.0;
};

class BlockOutput {
 public:
  BlockOutput(const store::CollectionPlan& plan, const ChunkSizes& sizes, BlockMemory& memory)
      : plan_(plan), sizes_(sizes), memory_(memory) {}

  // Writes the block, or adds what is to be written to `runs`, which has an entry for each part of the file.
  void put(OpenedFile& file, const ReadyBlock& ready, const BlockPlace& place, RunsOfParts& runs);

 private:
  std::byte* data_of(const ReadyBlock& ready, const BlockPlace& place, const std::vector<EncodedSize>* sizes);
  void add_runs(const ReadyBlock& ready, const BlockPlace& place, std::vector<store::DataRun>& runs);
  void put_objects(FileWriter& file, const ReadyBlock& ready, const BlockPlace& place);
  void give_to_procedure(FileWriter& file, const ReadyBlock& ready, const BlockPlace& place);

  const store::CollectionPlan& plan_;
  const ChunkSizes& sizes_;
  BlockMemory& memory_;
};

}  // namespace thalweg::writer
