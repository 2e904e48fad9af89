// Cuts that follow the boxes of the clients, so that a box goes to one writer whole.
#include <algorithm>
#include <iterator>
#include <span>

#include "geometry/layout.hpp"

namespace thalweg::geometry {
namespace {

using Indices = std::vector<std::int64_t>;

// The lower of two equally near. candidates ascend and are not empty.
std::size_t nearest(std::span<const std::int64_t> candidates, std::int64_t wanted) {
  const auto above = std::lower_bound(candidates.begin(), candidates.end(), wanted);
  const auto i = static_cast<std::size_t>(above - candidates.begin());
  if (i == candidates.size()) return i - 1;
  if (i == 0) return i;
  return wanted - candidates[i - 1] <= candidates[i] - wanted ? i - 1 : i;
}

// Every cut gets a boundary of its own: each takes the nearest that leaves enough boundaries for the cuts after it.
Indices all_at_boundaries(Indices edges, std::span<const std::int64_t> boundaries) {
  std::size_t first = 0;
  for (std::size_t cut = 1; cut + 1 < edges.size(); ++cut) {
    const std::size_t cuts_after = edges.size() - 2 - cut;
    const auto choice = boundaries.subspan(first, boundaries.size() - cuts_after - first);
    const std::size_t taken = nearest(choice, edges[cut]);
    edges[cut] = choice[taken];
    first += taken + 1;
  }
  return edges;
}

// Fewer boundaries than cuts: a cut moves to the nearest boundary if that is less than half way to the next cut, so
// that cuts stay in order and domains do not become slivers.
Indices some_at_boundaries(const Indices& even, std::span<const std::int64_t> boundaries) {
  if (boundaries.empty()) return even;
  Indices edges = even;
  for (std::size_t cut = 1; cut + 1 < even.size(); ++cut) {
    const std::int64_t boundary = boundaries[nearest(boundaries, even[cut])];
    if (even[cut - 1] + even[cut] < 2 * boundary && 2 * boundary < even[cut] + even[cut + 1]) edges[cut] = boundary;
  }
  return edges;
}

Indices moved(const Indices& even, const Indices& boundaries) {
  return boundaries.size() + 2 >= even.size() ? all_at_boundaries(even, boundaries)
                                              : some_at_boundaries(even, boundaries);
}

constexpr std::int64_t word_bits = 64;

}  // namespace

Boundaries::Boundaries(const Index& shape) : shape_(shape) {
  std::int64_t bits = 0;
  for (std::int64_t cells : shape) {
    first_bit_.push_back(bits);
    bits = cells < most_bits ? bits + cells + 1 : most_bits + 1;
    if (bits <= most_bits) continue;
    marks_.resize(static_cast<std::size_t>(shape.rank()));
    return;
  }
  words_.resize(static_cast<std::size_t>((bits + word_bits - 1) / word_bits));
}

void Boundaries::mark(const Box& box) {
  const auto inside = intersect(box, whole(shape_));
  if (!inside) return;
  for (int d = 0; d < shape_.rank(); ++d)
    for (std::int64_t index : {inside->start[d], inside->stop(d)}) mark(d, index);
}

void Boundaries::mark(int dimension, std::int64_t index) {
  if (are_listed()) {
    marks_[static_cast<std::size_t>(dimension)].insert(index);
    return;
  }
  const std::int64_t bit = first_bit_[dimension] + index;
  words_[static_cast<std::size_t>(bit / word_bits)] |= std::uint64_t{1} << (bit % word_bits);
}

Indices Boundaries::inside(int dimension) const {
  Indices found;
  if (are_listed()) {
    const std::set<std::int64_t>& marks = marks_[static_cast<std::size_t>(dimension)];
    std::copy(marks.upper_bound(0), marks.lower_bound(shape_[dimension]), std::back_inserter(found));
    return found;
  }
  for (std::int64_t i = 1; i < shape_[dimension]; ++i)
    if (at(dimension, i)) found.push_back(i);
  return found;
}

bool Boundaries::at(int dimension, std::int64_t index) const {
  if (index < 0 || index > shape_[dimension]) return false;
  if (are_listed()) return marks_[static_cast<std::size_t>(dimension)].contains(index);
  const std::int64_t bit = first_bit_[dimension] + index;
  return (words_[static_cast<std::size_t>(bit / word_bits)] >> (bit % word_bits)) & 1U;
}

Layout Layout::at_boundaries(const Index& shape, const Index& domains, const Boundaries& boundaries) {
  Layout layout = even(shape, domains);
  for (int d = 0; d < shape.rank(); ++d) {
    Indices& edges = layout.edges_[static_cast<std::size_t>(d)];
    edges = moved(edges, boundaries.inside(d));
  }
  return layout;
}

}  // namespace thalweg::geometry
