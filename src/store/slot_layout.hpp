// How the blocks of one record lie side by side in a slot: pure arithmetic, the same on every rank of a node.
//
// Rules
//  1. Blocks that are neighbours in the file are neighbours in memory, so that they can be written at once.
//  2. A block with long runs starts at an offset congruent to its place in the file modulo page_bytes.
//  3. Every other block starts at a multiple of 8.
#pragma once

#include <cstdint>
#include <vector>

#include "store/block_map.hpp"

namespace thalweg::store {

struct SlotBlock {
  std::int64_t file_start = 0;  // of its first byte, in record 0 (or modulo page_bytes of it)
  const BlockMap* map = nullptr;
};

struct SlotLayout {
  std::vector<std::int64_t> offset;  // of each block
  std::int64_t bytes = 0;            // of a slot: a multiple of page_bytes, with a page to spare for the phase
};

SlotLayout lay_out_slot(const std::vector<SlotBlock>& blocks);

}  // namespace thalweg::store
