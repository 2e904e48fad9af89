// Plans: which piece of which box goes to which I/O domain, and whether the boxes of all ranks cover the space once.
// Pure index arithmetic: no MPI, no files. A rank plans with its own boxes only; the owner of a domain checks the
// domain with the pieces that reach it. Nobody needs the boxes of all ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "geometry/index_list.hpp"
#include "geometry/layout.hpp"

namespace thalweg::geometry {

// What one rank holds of a global index space.
struct Decomposition {
  std::vector<std::string> dimensions;  // slowest first
  Index shape;
  std::vector<Box> boxes;  // of this rank; may be empty
  Index halo_low;
  Index halo_high;
  bool masked = false;  // holes are intended
  // Set for an index list: one dimension, no halo, and instead of boxes the points that this rank owns. boxes then
  // holds the extent of its local arrays, or nothing if it owns no point.
  std::shared_ptr<const IndexList> list;
  // All points that this rank lists, also those that another one owns: what it reads.
  std::shared_ptr<const IndexList> listed{};
  // Of a list whose points lie along several dimensions, each of these. They are the dimensions that are named, and
  // shape has the number of all points.
  Index joined_sizes{};
  // Of a part, or of another grid: collections that have it define its dimensions, which may be called as others.
  bool has_own_names = false;

  // Of each dimension that is named.
  const Index& sizes() const { return joined_sizes.rank() > 0 ? joined_sizes : shape; }
  // Points with the same index along the slowest dimension of a list.
  std::int64_t row_points() const { return shape.product() / sizes()[0]; }
};

// Whether this rank holds the same cells by both, in the same order; names and halos make no difference.
bool same_cells(const Decomposition& a, const Decomposition& b);

// Faults of a rank's own boxes: outside of shape, negative extents, numbers of dimensions that differ (SHAPE), overlap
// among themselves (AGREEMENT); the text names rank, box and shape. Empty boxes may lie anywhere.
void check_own_boxes(const Decomposition& decomposition, int rank);

// A part of one box that lies in one domain; region in global indices.
struct Piece {
  int domain = 0;
  int box = 0;  // number among the rank's boxes
  Box region;
  friend bool operator==(const Piece&, const Piece&) = default;
};

// All pieces of the boxes, ordered by domain, then box. Empty boxes give none.
std::vector<Piece> pieces_of(std::span<const Box> boxes, const Layout& layout);

// A piece as the owner of the domain knows it.
struct Contribution {
  int rank = 0;
  int box = 0;
  Box region;
};

// Two contributions in the order in which they were given. Each pair is reported once.
struct Overlap {
  Contribution first;
  Contribution second;
  Box common;
};

struct Coverage {
  // Not empty if any cell of the domain belongs to two contributions. At max_overlaps the search ends; holes and
  // covered_cells are complete if there are fewer.
  std::vector<Overlap> overlaps;
  std::vector<Box> holes;          // disjoint boxes that no contribution covers, merged where simple, ordered by start
  std::int64_t covered_cells = 0;  // by at least one contribution
};

constexpr std::size_t max_overlaps = 10;

// How contributions cover a domain; what lies outside of it is ignored. O(n log n) for n contributions of a regular
// decomposition, see coverage.cpp for others.
Coverage cover(const Box& domain, std::span<const Contribution> contributions);

}  // namespace thalweg::geometry
