// What one writer writes of a collection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "block/file_rules.hpp"
#include "block/planned_block.hpp"
#include "block/slot_layout.hpp"
#include "staging/block_rings.hpp"
#include "staging/record_assignment.hpp"

namespace thalweg::block {

// Blocks of its node, all of them or its share.
struct CollectionPlan {
  std::string name;
  const char* word = "";               // the same, for spans (base/subject.hpp)
  std::vector<std::string> variables;  // their names, for messages
  std::vector<PlannedBlock> record_blocks;
  std::vector<PlannedBlock> fixed_blocks;
  staging::BlockRings rings;
  FileRules files;
  bool whole_records = false;  // small ones: gathered, and written when all their blocks are complete
  // Where any writer of the node may write a record: its first pinned_blocks blocks are one writer's, which keeps them,
  // and the others are assigned to one of all, this one being `assignee`. Else who has the pinned ones has all.
  staging::RecordAssignment assignment;
  std::int64_t pinned_blocks = 0;
  bool has_pinned = true;
  int assignee = 0;

  const PlannedBlock& block(const staging::BlockAddress& of) const {
    return (of.is_fixed() ? fixed_blocks : record_blocks)[static_cast<std::size_t>(of.block)];
  }
  bool is_assigned(std::int64_t record_block) const { return assignment && record_block >= pinned_blocks; }

  // How far a record block is shifted in its slot, so that memory and file agree (block/slot_layout.hpp).
  std::int64_t page_shift(std::int64_t block, std::int64_t index_in_file) const {
    const PlannedBlock& of = record_blocks[static_cast<std::size_t>(block)];
    return is_shifted(of.map) ? index_in_file * of.place.record_bytes % page_bytes : 0;
  }
};

}  // namespace thalweg::block
