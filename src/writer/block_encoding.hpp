// The chunks of a block are encoded here, each in its own memory, on their way to storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transform/encode.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

// Chunks of other blocks stay as they are.
inline bool is_encoded(const block::PlannedBlock& block) {
  return block.encoding.changes_size() || block.encoding.rounds();
}

// Encodes the chunk at this position of the block. data: the block's first element. Errors say which block it is.
transform::EncodedSize encode_chunk_of(const block::CollectionPlan& plan, const ReadyBlock& of, std::int64_t position,
                                       std::byte* data, transform::EncodingTools& tools);

// All of them, by the caller.
std::vector<transform::EncodedSize> encode_block(const block::CollectionPlan& plan, const ReadyBlock& of,
                                                 std::byte* data);

}  // namespace thalweg::writer
