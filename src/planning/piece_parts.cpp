#include "planning/piece_parts.hpp"

#include <algorithm>

namespace thalweg::planning {

const std::vector<geometry::ChunkPoints>& PointCuts::of(const std::shared_ptr<const PointRuns>& runs,
                                                        std::int64_t chunk_points) {
  std::vector<geometry::ChunkPoints>& parts = parts_[{runs.get(), chunk_points}];
  if (parts.empty()) parts = geometry::cut_into_chunks(runs, chunk_points);
  return parts;
}

std::vector<block::PieceCopy> box_into(const block::PlannedBlock& block, const Box& cells) {
  const Index& stride = block.map.stride;
  const auto part = [&](const Box& of, const Index& origin, std::int64_t offset) {
    return block::PieceCopy{
        of.start, of.count, stride, offset + offset_of(of.start, stride) - offset_of(origin, stride), {}};
  };
  if (!block.chunks) return {part(cells, block.region.start, 0)};
  std::vector<block::PieceCopy> parts;
  // Chunks count from the first cell of the file, everything else from that of the whole.
  const Index origin = moved(block.region, block.chunks->region.start, -1).start;
  for (const std::int64_t position : block.chunks->touching(moved(cells, origin, -1))) {
    const Box chunk = moved(block.chunks->box(position), origin, 1);
    parts.push_back(part(*intersect(cells, chunk), chunk.start, position * block.map.run_block_stride[0]));
  }
  return parts;
}

std::vector<block::PieceCopy> points_into(const block::PlannedBlock& block, const Box& region,
                                          const block::PiecePoints& points, PointCuts& cuts) {
  std::vector<block::PieceCopy> parts;
  const auto add = [&](Box cells, std::int64_t offset, const std::shared_ptr<const PointRuns>& runs) {
    cells.count[points.along] = runs->points();
    parts.push_back({cells.start, cells.count, block.map.stride, offset, {runs, points.along}});
  };
  if (!block.chunks) {
    add(region, 0, points.runs);
    return parts;
  }
  const std::int64_t chunk_points = block.chunks->chunk[points.along];
  for (const geometry::ChunkPoints& part : cuts.of(points.runs, chunk_points)) {
    Box slab = region;  // one index thick, through all chunks that hold these points
    slab.start[points.along] += part.chunk * chunk_points;
    slab.count[points.along] = 1;
    for (const std::int64_t position : block.chunks->touching(slab))
      add(block.chunks->box(position), position * block.map.run_block_stride[0], part.runs);
  }
  return parts;
}

int place_of_points(const Draft& draft, int variable) {
  const auto& decomposed = draft.declaration.model_side(variable).decomposed;
  return static_cast<int>(std::find(decomposed.begin(), decomposed.end(), 0) - decomposed.begin());
}

block::PiecePoints points_of(const Draft& draft, int variable, const transport::PlannedPiece& piece) {
  if (!piece.points) return {};
  return {piece.points, place_of_points(draft, variable)};
}

std::vector<block::PieceCopy> into_block(const Draft& draft, int variable, const transport::PlannedPiece& piece,
                                         PointCuts& cuts) {
  const block::PlannedBlock& block = draft.block(variable, draft.block_of.at({variable, piece.domain}));
  const Box domain = draft.box_of(variable, piece.domain);
  // A file of a set takes of what every rank has alike no more than its own sections.
  std::vector<block::PieceCopy> parts =
      piece.points ? points_into(block, domain, points_of(draft, variable, piece), cuts)
                   : box_into(block, *intersect(draft.in_variable(variable, piece.region), domain));
  for (block::PieceCopy& part : parts) part.target_offset += block.slot_offset;
  return parts;
}

}  // namespace thalweg::planning
