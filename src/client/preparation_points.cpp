// Preparation: how the points of index lists lie in blocks, which may be sequences of chunks.
#include <algorithm>

#include "client/preparation.hpp"

namespace thalweg::client {

// Among the variable's dimensions, the one of its index list.
int Preparation::place_of_points(const Draft& draft, int variable) const {
  const auto& decomposed = draft.collection->declaration.model_side(variable).decomposed;
  return static_cast<int>(std::find(decomposed.begin(), decomposed.end(), 0) - decomposed.begin());
}

PiecePoints Preparation::points_of(const Draft& draft, int variable, const transport::PlannedPiece& piece) const {
  if (!piece.points) return {};
  return {piece.points, place_of_points(draft, variable)};
}

// Points that count from the region's first, with all cells of the other dimensions: one part, or one for each chunk
// that they touch. Targets count from the block's first element.
std::vector<PieceCopy> Preparation::points_into(const store::PlannedBlock& block, const Box& region,
                                                const PiecePoints& points) {
  std::vector<PieceCopy> parts;
  const auto add = [&](Box cells, std::int64_t offset, const std::shared_ptr<const PointRuns>& runs) {
    cells.count[points.along] = runs->points();
    parts.push_back({cells.start, cells.count, block.map.stride, offset, {runs, points.along}});
  };
  if (!block.chunks) {
    add(region, 0, points.runs);
    return parts;
  }
  const std::int64_t chunk_points = block.chunks->chunk[points.along];
  for (const exchange::ChunkPoints& part : in_chunks(points.runs, chunk_points)) {
    Box slab = region;  // one index thick, through all chunks that hold these points
    slab.start[points.along] += part.chunk * chunk_points;
    slab.count[points.along] = 1;
    for (const std::int64_t position : block.chunks->touching(slab))
      add(block.chunks->box(position), position * block.map.run_block_stride[0], part.runs);
  }
  return parts;
}

// Cut once for all variables with the same plan and the same chunks along the points.
const std::vector<exchange::ChunkPoints>& Preparation::in_chunks(const std::shared_ptr<const PointRuns>& runs,
                                                                 std::int64_t chunk_points) {
  std::vector<exchange::ChunkPoints>& parts = cut_points_[{runs.get(), chunk_points}];
  if (parts.empty()) parts = exchange::cut_into_chunks(runs, chunk_points);
  return parts;
}

}  // namespace thalweg::client
