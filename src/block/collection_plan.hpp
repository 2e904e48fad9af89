// What one writer writes of a collection.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "block/callback.hpp"
#include "block/object_layout.hpp"
#include "block/planned_block.hpp"
#include "block/slot_layout.hpp"
#include "block/summed_files.hpp"
#include "config/settings.hpp"
#include "staging/block_rings.hpp"
#include "staging/record_claims.hpp"

namespace thalweg::block {

// Blocks of its node, all of them or its share.
struct CollectionPlan {
  std::string name;
  std::vector<std::string> variables;  // their names, for messages
  std::vector<PlannedBlock> record_blocks;
  std::vector<PlannedBlock> fixed_blocks;
  staging::BlockRings rings;
  bool big_endian = false;
  config::ChunkRules chunks;  // where there are some, every record is placed by itself,
  bool sizes_first = false;   // and only when the sizes of its encoded chunks are known
  bool fixed_sizes_first = false;
  bool checksum_first = false;                  // FormatFile::checksum_comes_first
  std::shared_ptr<const ObjectLayout> objects;  // if chunks are objects
  std::shared_ptr<const Callback> callback;     // if there are no files
  std::shared_ptr<const SummedFiles> summed;    // null: files get no checksums
  bool has_companions = true;                   // else sums are only for what is in the file
  bool whole_records = false;                   // small ones: gathered, and written when all their blocks are complete
  bool owns_files = false;                      // this writer commits and publishes
  int other_writers = 0;                        // of the files, on this node or others; known to the one that owns them
  // Where any writer of the node may write a record: its first kept_blocks blocks are one writer's, which keeps them,
  // and the others are claimed for one of all, this one being `claimant`. Without claims who keeps blocks has them all.
  staging::RecordClaims claims;
  std::int64_t kept_blocks = 0;
  bool keeps = true;
  int claimant = 0;
  config::Priority priority = config::Priority::normal;
  config::Durability durability = config::Durability::close;
  config::DirectIo direct_io = config::DirectIo::automatic;

  bool chunked() const { return chunks.has_chunks(); }
  // Files and their records come one after the other, and each is told of as a whole.
  bool in_turns() const { return callback != nullptr; }
  const PlannedBlock& block(const staging::BlockAddress& of) const {
    return (of.is_fixed() ? fixed_blocks : record_blocks)[static_cast<std::size_t>(of.block)];
  }
  bool is_claimed(std::int64_t record_block) const { return claims && record_block >= kept_blocks; }

  // How far a record block is shifted in its slot, so that memory and file agree (block/slot_layout.hpp).
  std::int64_t page_shift(std::int64_t block, std::int64_t index_in_file) const {
    const PlannedBlock& of = record_blocks[static_cast<std::size_t>(block)];
    return is_shifted(of.map) ? index_in_file * of.place.record_bytes % page_bytes : 0;
  }
};

}  // namespace thalweg::block
