#include "block/holes.hpp"

#include "transform/copy.hpp"
#include "transform/copy_runs.hpp"

namespace thalweg::block {

void fill_holes(const PlannedBlock& block, bool big_endian, std::byte* data) {
  for (const block::HoleFill& hole : block.holes)
    transform::fill_box(hole.count, block.map.stride, block.type, big_endian, block.fill, data + hole.offset);
  for (const block::HolePoints& points : block.hole_points)
    transform::fill_runs(points.count, block.map.stride, points.along, *points.runs, block.type, big_endian, block.fill,
                         data + points.offset);
}

}  // namespace thalweg::block
