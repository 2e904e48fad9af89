// I/O domains: a global index space cut for writing. Pure index arithmetic, the same on every rank.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/box.hpp"

namespace thalweg::geometry {

// At which indices client boxes begin, as one bit an index and dimension. Ranks combine theirs with a bitwise or,
// whose size is the sum of the extents and does not grow with the number of ranks. Where extents are so large that the
// bits would take more than a few megabytes they are lists of indices, which grow with the number of boxes alone.
class Boundaries {
 public:
  static constexpr std::int64_t most_bits = std::int64_t{1} << 26;
  explicit Boundaries(const Index& shape);
  void mark(const Box& box);  // its start and stop in every dimension; an empty box has none
  bool at(int dimension, std::int64_t index) const;
  std::vector<std::int64_t> inside(int dimension) const;  // all but 0 and the extent, ascending
  bool are_listed() const { return !marks_.empty(); }
  std::vector<std::uint64_t>& words() { return words_; }  // of equal length on ranks with equal shape; listed: none
  std::vector<std::set<std::int64_t>>& marks() { return marks_; }  // listed: of each dimension

 private:
  void mark(int dimension, std::int64_t index);

  Index shape_;
  Index first_bit_;
  std::vector<std::uint64_t> words_;
  std::vector<std::set<std::int64_t>> marks_;
};

// The cut: edges[d] are ascending indices from 0 to shape[d]; domain (i, j) spans edges[0][i]..edges[0][i+1], ...
// Domains are numbered with the last dimension fastest. Each has at least one cell, except that a dimension of extent 0
// has one domain, without cells. Cuts that are impossible throw SHAPE.
class Layout {
 public:
  Layout() = default;
  explicit Layout(std::vector<std::vector<std::int64_t>> edges);

  // Even cuts: the first (shape mod domains) domains are one larger.
  static Layout even(const Index& shape, const Index& domains);
  // Even cuts moved to client boundaries (the nearest, the lower of two equally near). With at least as many inner
  // boundaries along a dimension as cuts, every cut is at a boundary, so that no box of a Cartesian decomposition is
  // split; with fewer, a cut moves only to a boundary less than half way to the next cut.
  static Layout at_boundaries(const Index& shape, const Index& domains, const Boundaries& boundaries);
  // Cuts at multiples of ceil(shape / domains), rounded up to whole chunks; may give fewer domains than asked.
  static Layout chunked(const Index& shape, const Index& domains, const Index& chunk);

  int rank() const { return static_cast<int>(edges_.size()); }
  int domain_count() const;
  Index domains() const;  // number of domains along each dimension
  Index shape() const;
  const std::vector<std::int64_t>& edges(int dimension) const { return edges_[static_cast<std::size_t>(dimension)]; }
  Box domain(int number) const;
  // Numbers of the domains that share a cell with box, ascending.
  std::vector<int> touching(const Box& box) const;

 private:
  std::vector<std::vector<std::int64_t>> edges_;
};

}  // namespace thalweg::geometry
