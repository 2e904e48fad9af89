// What a rank plans by itself, from its own boxes.
#include <algorithm>

#include "base/error.hpp"
#include "base/told.hpp"
#include "geometry/plan.hpp"

namespace thalweg::geometry {
namespace {

void check_ranks(const Decomposition& decomposition, int rank) {
  const int dimensions = decomposition.shape.rank();
  const auto expect = [&](const char* what, std::size_t given) {
    if (given != static_cast<std::size_t>(dimensions))
      fail(THALWEG_ERROR_SHAPE, "rank {} gives {} {} for a decomposition of shape {}: give {}, one a dimension", rank,
           given, what, told::extents(decomposition.shape), dimensions);
  };
  expect("dimension names", decomposition.dimensions.size());
  expect("lower halo widths", static_cast<std::size_t>(decomposition.halo_low.rank()));
  expect("upper halo widths", static_cast<std::size_t>(decomposition.halo_high.rank()));
  for (const Box& box : decomposition.boxes) {
    expect("box starts", static_cast<std::size_t>(box.start.rank()));
    expect("box extents", static_cast<std::size_t>(box.count.rank()));
  }
}

// Cells are counted in 64 bits here, and bytes in any file.
void check_cells(const Decomposition& decomposition, int rank) {
  std::int64_t cells = 1;
  for (const std::int64_t extent : decomposition.shape)
    if (extent > 0 && __builtin_mul_overflow(cells, extent, &cells))
      fail(THALWEG_ERROR_SHAPE,
           "rank {} declares decomposition ({}) of shape {}, which has more than 2^63 - 1 cells: no format holds a "
           "field on it; split it",
           rank, told::names(decomposition.dimensions), told::extents(decomposition.shape));
}

void check_not_negative(const Index& values, const char* what, int rank) {
  if (std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value < 0; }))
    fail(THALWEG_ERROR_SHAPE, "rank {} declares {} {}: none may be negative", rank, what, told::extents(values));
}

// An empty box lies nowhere, so its start may be anything. Written without sums, which could overflow.
void check_inside(const Decomposition& decomposition, std::size_t number, int rank) {
  const Box& box = decomposition.boxes[number];
  if (box.empty()) return;
  for (int d = 0; d < box.rank(); ++d)
    if (box.start[d] < 0 || box.start[d] > decomposition.shape[d] - box.count[d])
      fail(THALWEG_ERROR_SHAPE,
           "box {} of rank {} starts at {} with extents {}, which is outside of the decomposition of "
           "shape {} along dimension \"{}\" ({}): starts count from {}, and its last cell is {} at most",
           told::number(static_cast<std::int64_t>(number)), rank, told::starts(box.start), told::extents(box.count),
           told::extents(decomposition.shape), decomposition.dimensions[static_cast<std::size_t>(d)], told::order(),
           told::first(), told::number(decomposition.shape[d] - 1));
}

void check_disjoint(const Decomposition& decomposition, int rank) {
  std::vector<Contribution> own;
  for (const Box& box : decomposition.boxes) own.push_back({rank, static_cast<int>(own.size()), box});
  const Coverage coverage = cover(whole(decomposition.shape), own);
  if (coverage.overlaps.empty()) return;
  const Overlap& overlap = coverage.overlaps.front();
  fail(THALWEG_ERROR_AGREEMENT,
       "boxes {} {} and {} {} of rank {} both hold {} of the decomposition of shape {} ({}): each "
       "cell must belong to one box; overlapping rims are declared as halo",
       told::number(overlap.first.box), told::box(overlap.first.region), told::number(overlap.second.box),
       told::box(overlap.second.region), rank, told::box(overlap.common), told::extents(decomposition.shape),
       told::sections());
}

}  // namespace

bool same_cells(const Decomposition& a, const Decomposition& b) {
  if (!(a.shape == b.shape) || a.masked != b.masked || (a.list == nullptr) != (b.list == nullptr)) return false;
  return a.boxes == b.boxes && (a.list == nullptr || *a.list == *b.list);
}

void check_own_boxes(const Decomposition& decomposition, int rank) {
  check_ranks(decomposition, rank);
  check_not_negative(decomposition.shape, "the shape", rank);
  check_cells(decomposition, rank);
  check_not_negative(decomposition.halo_low, "the lower halo widths", rank);
  check_not_negative(decomposition.halo_high, "the upper halo widths", rank);
  for (std::size_t number = 0; number < decomposition.boxes.size(); ++number) {
    check_not_negative(decomposition.boxes[number].count,
                       fmt::format("box {} with extents", told::number(static_cast<std::int64_t>(number))).c_str(),
                       rank);
    check_inside(decomposition, number, rank);
  }
  if (decomposition.boxes.size() > 1) check_disjoint(decomposition, rank);
}

std::vector<Piece> pieces_of(std::span<const Box> boxes, const Layout& layout) {
  std::vector<Piece> pieces;
  for (std::size_t number = 0; number < boxes.size(); ++number)
    for (int domain : layout.touching(boxes[number]))
      pieces.push_back({domain, static_cast<int>(number), *intersect(boxes[number], layout.domain(domain))});
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.domain < b.domain; });
  return pieces;
}

}  // namespace thalweg::geometry
