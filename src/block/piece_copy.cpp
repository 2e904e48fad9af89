#include "block/piece_copy.hpp"

#include "transform/copy_runs.hpp"
#include "transform/out_of_range.hpp"

namespace thalweg::block {

std::uint64_t copy_piece(const transform::BoxCopy& copy, const PiecePoints& points, const std::byte* source,
                         std::byte* target) {
  return points.runs ? transform::copy_runs(copy, points.along, *points.runs, source, target)
                     : transform::copy_box(copy, source, target);
}

std::int64_t count_out_of_range(const transform::BoxCopy& copy, const PiecePoints& points, const std::byte* source) {
  return points.runs ? transform::count_out_of_range(copy, points.along, *points.runs, source)
                     : transform::count_out_of_range(copy, source);
}

std::uint64_t fill_piece(const Index& count, const Index& target_stride, const PiecePoints& points, Type type,
                         bool big_endian, Element fill, std::byte* target) {
  return points.runs
             ? transform::fill_runs(count, target_stride, points.along, *points.runs, type, big_endian, fill, target)
             : transform::fill_box(count, target_stride, type, big_endian, fill, target);
}

}  // namespace thalweg::block
