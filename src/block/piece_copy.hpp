// A piece is a box, or the points of an index list: here the two part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/point_runs.hpp"
#include "transform/copy.hpp"

namespace thalweg::block {

// The points of a piece or of its part in a chunk; all variables with the same plan and the same chunks share the runs.
struct PiecePoints {
  std::shared_ptr<const PointRuns> runs;  // null: the piece is a box
  int along = 0;                          // dimension of the variable
};

// Copying and filling return the checksum. For points, source and target are those of point 0.
std::uint64_t copy_piece(const transform::BoxCopy& copy, const PiecePoints& points, const std::byte* source,
                         std::byte* target);
// How many of the source's values the target's type makes infinite; for pieces that are known to have some.
std::int64_t count_out_of_range(const transform::BoxCopy& copy, const PiecePoints& points, const std::byte* source);
std::uint64_t fill_piece(const Index& count, const Index& target_stride, const PiecePoints& points, Type type,
                         bool big_endian, Element fill, std::byte* target);

}  // namespace thalweg::block
