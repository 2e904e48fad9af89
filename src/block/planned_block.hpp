// A block as it is planned, the same for every record.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/box.hpp"
#include "base/element_bits.hpp"
#include "base/point_runs.hpp"
#include "base/types.hpp"
#include "block/block_map.hpp"
#include "catalog/definition.hpp"
#include "geometry/chunking.hpp"

namespace thalweg::block {

// Cells of a block that no client owns, or that lie behind the variable's edge in its last chunks.
struct HoleFill {
  Index count;
  std::int64_t offset = 0;  // of its first cell, from the block's first element
};

// Points of an index list that nobody owns, in a block or in one of its chunks; the runs are shared by all blocks of
// the same cells.
struct HolePoints {
  std::shared_ptr<const PointRuns> runs;
  Index count;              // cells along the other dimensions
  int along = 0;            // dimension of the runs
  std::int64_t offset = 0;  // of the runs' point 0, from the block's first element
};

// Where a block lies in its file, as far as no record changes it (block/place_in_file.hpp).
struct PlannedPlace {
  int part = 0;  // the file, among those of a set that the block's writer writes
  // Of its first chunk, or of itself, in the offsets of a placed record. Fixed blocks: of their variable's first chunk,
  // in OpenFile::fixed_offsets (block/commands.hpp).
  std::int64_t first = 0;
  std::int64_t begin = 0;         // of the variable in its file, where offsets follow from arithmetic
  std::int64_t record_bytes = 0;  // and from there to the next record
};

// A block as its writer sees it; the same for every record.
struct PlannedBlock {
  int variable = 0;
  Box region;                                 // of the variable
  std::optional<geometry::ChunkGrid> chunks;  // it is the sequence of these; nothing: a part of one array
  PlannedPlace place;
  BlockMap map;
  catalog::Encoding encoding;
  std::int64_t slot_offset = 0;  // in the slot, before its page shift is added
  Type type = Type::float64;
  Element fill{};
  std::uint32_t expected = 0;  // pieces that complete it
  std::vector<HoleFill> holes;
  std::vector<HolePoints> hole_points;
  std::int64_t hole_cells = 0;  // of the variable, in both; what lies behind its edge is none of it

  // No client has a cell of it: it is all fill value, and the writer makes it.
  bool is_fill_only() const { return expected == 0; }
  // To the checksum of what clients put, holes add theirs.
  std::uint64_t sum_of_holes() const { return static_cast<std::uint64_t>(hole_cells) * bits_of(fill, type); }
};

// What lies behind the variable's edge in its last chunks is filled like a hole.
void add_padding(PlannedBlock& block);

// How many offsets FormatFile gives for a variable that has this shape in the file: one for each chunk if it is chunked
// and has no record dimension, one if it is an array, none if it has records.
std::int64_t fixed_places(const catalog::Variable& variable, const Index& shape);

}  // namespace thalweg::block
