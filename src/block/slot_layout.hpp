// How the blocks of one record lie side by side in a slot: pure arithmetic, the same on every rank of a node.
//
// Rules
//  1. A block with long runs is written directly, so its memory must agree with its place in the file modulo
//  page_bytes,
//     in every record: it starts at an offset congruent to its place in record 0 and is shifted by the record's page
//     shift.
//  2. Behind it there is a page to spare: a neighbour may still be in use for an earlier record with another page
//  shift, so
//     no shift may reach it.
//  3. Every other block stays where it is. It starts at a multiple of 8, or right behind its neighbour in the file, so
//     that both can be written at once.
#pragma once

#include <cstdint>
#include <vector>

#include "block/block_map.hpp"

namespace thalweg::block {

struct SlotBlock {
  std::int64_t file_start = 0;  // of its first byte, in record 0 (or modulo page_bytes of it)
  const BlockMap* map = nullptr;
};

struct SlotLayout {
  std::vector<std::int64_t> offset;  // of each block, before the page shift
  std::int64_t bytes = 0;            // of a slot: a multiple of page_bytes
};

// Whether rule 1 holds for a block.
inline bool is_shifted(const BlockMap& map) {
  return map.run_bytes >= direct_run_bytes;
}

SlotLayout lay_out_slot(const std::vector<SlotBlock>& blocks);

}  // namespace thalweg::block
