#include "client/index_puts.hpp"

#include "transform/copy_runs.hpp"

namespace thalweg::client {

std::uint64_t copy_piece(const transform::BoxCopy& copy, const PiecePoints& points, const std::byte* source,
                         std::byte* target) {
  return points.runs ? transform::copy_runs(copy, points.along, *points.runs, source, target)
                     : transform::copy_box(copy, source, target);
}

std::uint64_t fill_piece(const Index& count, const Index& target_stride, const PiecePoints& points, Type type,
                         bool big_endian, Element fill, std::byte* target) {
  return points.runs
             ? transform::fill_runs(count, target_stride, points.along, *points.runs, type, big_endian, fill, target)
             : transform::fill_box(count, target_stride, type, big_endian, fill, target);
}

}  // namespace thalweg::client
