// How boxes and points of index lists lie in blocks, which may be sequences of chunks: the parts of a piece that are
// affine in the block.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "geometry/chunking.hpp"
#include "planning/draft.hpp"

namespace thalweg::planning {

// Runs of plans, cut once for all variables with the same plan and the same chunks along the points. The plans live as
// long.
class PointCuts {
 public:
  const std::vector<geometry::ChunkPoints>& of(const std::shared_ptr<const PointRuns>& runs, std::int64_t chunk_points);

 private:
  std::map<std::pair<const PointRuns*, std::int64_t>, std::vector<geometry::ChunkPoints>> parts_;
};

// A box of the variable's cells: one part, or one for each chunk that it touches. Targets count from the block's first
// element.
std::vector<block::PieceCopy> box_into(const block::PlannedBlock& block, const Box& cells);

// Points that count from the region's first, with all cells of the other dimensions: one part, or one for each chunk
// that they touch. Targets count from the block's first element.
std::vector<block::PieceCopy> points_into(const block::PlannedBlock& block, const Box& region,
                                          const block::PiecePoints& points, PointCuts& cuts);

// Among the variable's dimensions, the one of its index list.
int place_of_points(const Draft& draft, int variable);
block::PiecePoints points_of(const Draft& draft, int variable, const transport::PlannedPiece& piece);

// The parts of a piece in the slot of its block: `first` counts from the beginning of the whole space.
std::vector<block::PieceCopy> into_block(const Draft& draft, int variable, const transport::PlannedPiece& piece,
                                         PointCuts& cuts);

}  // namespace thalweg::planning
