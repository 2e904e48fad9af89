// Random decompositions for property tests: 1 to 5 dimensions, uneven cuts, several boxes a rank, empty ranks, holes.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "geometry/layout.hpp"
#include "geometry/plan.hpp"

namespace thalweg::geometry::testing {

using Random = std::mt19937_64;

constexpr int cases = 300;

struct RandomDecomposition {
  Index shape;
  std::vector<std::vector<Box>> boxes;  // by rank
  std::vector<Box> masked;              // together with boxes they are the whole space, each cell once
};

inline std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

inline Index random_shape(Random& random) {
  const auto rank = static_cast<int>(draw(random, 1, 5));
  Index shape = Index::filled(rank, 1);
  constexpr std::int64_t most[] = {0, 400, 28, 10, 6, 4};
  for (int d = 0; d < rank; ++d) shape[d] = draw(random, 1, most[rank]);
  return shape;
}

// A box with at least one cell inside of shape.
inline Box random_box(Random& random, const Index& shape) {
  Box box = whole(shape);
  for (int d = 0; d < shape.rank(); ++d) {
    box.start[d] = draw(random, 0, shape[d] - 1);
    box.count[d] = draw(random, 1, shape[d] - box.start[d]);
  }
  return box;
}

// Cuts from 0 to cells, uneven, at most `parts` parts.
inline std::vector<std::int64_t> random_edges(Random& random, std::int64_t cells, std::int64_t parts) {
  std::vector<std::int64_t> edges{0, cells};
  for (std::int64_t i = 1; i < parts; ++i) edges.push_back(draw(random, 0, cells));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// Cuts box at random places into about `pieces` disjoint boxes that no grid holds, more of them where there is more
// room.
inline void cut_irregularly(Random& random, const Box& box, std::int64_t pieces, std::vector<Box>& out) {
  if (pieces <= 1 || box.cells() == 1) {
    out.push_back(box);
    return;
  }
  auto d = static_cast<int>(draw(random, 0, box.rank() - 1));
  while (box.count[d] == 1) d = (d + 1) % box.rank();
  Box low = box;
  Box high = box;
  low.count[d] = draw(random, 1, box.count[d] - 1);
  high.start[d] += low.count[d];
  high.count[d] -= low.count[d];
  const std::int64_t low_pieces = std::clamp(pieces * low.count[d] / box.count[d], std::int64_t{1}, pieces - 1);
  cut_irregularly(random, low, low_pieces, out);
  cut_irregularly(random, high, pieces - low_pieces, out);
}

inline std::vector<Box> boxes_of(const Layout& layout) {
  std::vector<Box> boxes;
  for (int i = 0; i < layout.domain_count(); ++i) boxes.push_back(layout.domain(i));
  return boxes;
}

inline Layout random_layout(Random& random, const Index& shape) {
  std::vector<std::vector<std::int64_t>> edges;
  for (std::int64_t cells : shape) edges.push_back(random_edges(random, cells, draw(random, 1, 5)));
  return Layout(edges);
}

inline Index random_domains(Random& random, const Index& shape) {
  Index domains = shape;
  for (int d = 0; d < shape.rank(); ++d) domains[d] = draw(random, 1, std::min<std::int64_t>(5, shape[d]));
  return domains;
}

inline RandomDecomposition random_decomposition(Random& random) {
  RandomDecomposition result;
  result.shape = random_shape(random);
  std::vector<Box> blocks;
  if (draw(random, 0, 1) == 0)
    blocks = boxes_of(random_layout(random, result.shape));
  else
    cut_irregularly(random, whole(result.shape), draw(random, 1, 60), blocks);
  std::shuffle(blocks.begin(), blocks.end(), random);
  result.boxes.resize(static_cast<std::size_t>(draw(random, 1, 1 + 2 * static_cast<std::int64_t>(blocks.size()))));
  const std::int64_t masked_percent = draw(random, 0, 1) * draw(random, 0, 100);
  for (const Box& block : blocks) {
    if (draw(random, 0, 99) < masked_percent)
      result.masked.push_back(block);
    else
      result.boxes[static_cast<std::size_t>(draw(random, 0, std::ssize(result.boxes) - 1))].push_back(block);
  }
  return result;
}

// Calls visit(Index) for each cell of the box, last dimension fastest.
template <typename Visit>
void for_each_cell(const Box& box, Visit visit) {
  if (box.empty()) return;
  const std::int64_t cells = box.cells();
  for (std::int64_t n = 0; n < cells; ++n) {
    Index cell = box.start;
    std::int64_t rest = n;
    for (int d = box.rank() - 1; d >= 0; --d) {
      cell[d] += rest % box.count[d];
      rest /= box.count[d];
    }
    visit(cell);
  }
}

// How many of the boxes hold each cell of a space: the brute-force truth.
class CellCount {
 public:
  explicit CellCount(const Index& shape)
      : stride_(contiguous_strides(shape, 1)), count_(static_cast<std::size_t>(shape.product())) {}
  void add(const Box& box) {
    for_each_cell(box, [this](const Index& cell) { ++count_[number(cell)]; });
  }
  int at(const Index& cell) const { return count_[number(cell)]; }
  std::int64_t cells_with(int count) const { return std::count(count_.begin(), count_.end(), count); }
  bool all(int count) const { return cells_with(count) == std::ssize(count_); }
  friend bool operator==(const CellCount& a, const CellCount& b) { return a.count_ == b.count_; }

 private:
  std::size_t number(const Index& cell) const {
    std::int64_t n = 0;
    for (int d = 0; d < cell.rank(); ++d) n += cell[d] * stride_[d];
    return static_cast<std::size_t>(n);
  }
  Index stride_;
  std::vector<int> count_;
};

// The pieces of all ranks, sorted to the domains they go to, as the owners of the domains know them.
inline std::vector<std::vector<Contribution>> contributions_by_domain(const std::vector<std::vector<Box>>& boxes,
                                                                      const Layout& layout) {
  std::vector<std::vector<Contribution>> result(static_cast<std::size_t>(layout.domain_count()));
  for (std::size_t rank = 0; rank < boxes.size(); ++rank)
    for (const Piece& piece : pieces_of(boxes[rank], layout))
      result[static_cast<std::size_t>(piece.domain)].push_back({static_cast<int>(rank), piece.box, piece.region});
  return result;
}

}  // namespace thalweg::geometry::testing
