// How index spaces are cut over ranks. What is land does not depend on the number of ranks, so that all runs of one
// mode write the same values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conform_values.hpp"

namespace conform {

using Indices = std::vector<std::int64_t>;

struct Box {
  Indices start;
  Indices count;
};

// A decomposition as one rank declares it.
struct Cut {
  std::vector<std::string> dims;
  Indices shape;
  Indices halo_low;
  Indices halo_high;
  std::vector<Box> boxes;
  thalweg_decomposition* handle = nullptr;
};

inline std::vector<Box> boxes_between(const std::vector<Indices>& edges) {
  std::vector<Box> boxes{{}};
  for (const Indices& along : edges) {
    std::vector<Box> refined;
    for (const Box& box : boxes)
      for (std::size_t i = 0; i + 1 < along.size(); ++i) {
        refined.push_back(box);
        refined.back().start.push_back(along[i]);
        refined.back().count.push_back(along[i + 1] - along[i]);
      }
    boxes = std::move(refined);
  }
  return boxes;
}

inline Indices even_edges(std::int64_t cells, std::int64_t parts) {
  Indices edges;
  for (std::int64_t i = 0; i <= parts; ++i) edges.push_back(cells * i / parts);
  return edges;
}

inline Indices uneven_edges(std::int64_t cells, std::int64_t parts) {
  Indices edges = even_edges(cells, parts);
  for (std::int64_t i = 1; i < parts; i += 2) edges[static_cast<std::size_t>(i)] += cells / parts / 3;
  return edges;
}

// The largest prime factor of a number from 2.
inline int largest_prime_of(int number) {
  for (int factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0) return std::max(factor, largest_prime_of(number / factor));
  return number;
}

// One box for each of a number of ranks: its prime factors, largest first, cut the dimension with the longest parts.
inline std::vector<Box> one_box_a_rank(const Indices& shape, int ranks) {
  Indices parts(shape.size(), 1);
  const auto length = [&](std::size_t d) { return shape[d] / parts[d]; };
  for (int rest = ranks; rest > 1; rest /= largest_prime_of(rest)) {
    std::size_t longest = 0;
    for (std::size_t d = 1; d < shape.size(); ++d)
      if (length(d) > length(longest)) longest = d;
    parts[longest] *= largest_prime_of(rest);
  }
  std::vector<Indices> edges;
  for (std::size_t d = 0; d < shape.size(); ++d) edges.push_back(uneven_edges(shape[d], parts[d]));
  return boxes_between(edges);
}

// The blocks of a grid that is the same for any number of ranks.
inline std::vector<Box> fixed_blocks(const Indices& shape) {
  std::vector<Indices> edges;
  for (std::size_t d = 0; d < shape.size(); ++d)
    edges.push_back(even_edges(shape[d], std::min<std::int64_t>(shape[d], d < 2 ? 4 : 2)));
  return boxes_between(edges);
}

inline bool is_land(const std::string& mode, const Indices& shape, const Box& block, std::size_t number) {
  if (mode != "mask" && mode != "barren") return false;
  const bool beyond_the_coast = mode == "barren" && 3 * block.start[0] >= shape[0];
  return beyond_the_coast || mix(number) % 3 == 0;
}

inline std::vector<Box> dealt_blocks(const std::string& mode, const Indices& shape, int rank, int ranks) {
  std::vector<Box> mine;
  const std::vector<Box> blocks = fixed_blocks(shape);
  std::size_t wet = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!is_land(mode, shape, blocks[i], i) && static_cast<int>(wet++ % static_cast<std::size_t>(ranks)) == rank)
      mine.push_back(blocks[i]);
  return mine;
}

// The boxes of a rank by the mode: block (one each), empty (odd ranks hold nothing), deal, mask and barren.
inline std::vector<Box> boxes_of(const std::string& mode, const Indices& shape, int rank, int ranks) {
  if (mode == "block") return {one_box_a_rank(shape, ranks)[static_cast<std::size_t>(rank)]};
  if (mode != "empty") return dealt_blocks(mode, shape, rank, ranks);
  if (rank % 2 != 0) return {};
  return {one_box_a_rank(shape, (ranks + 1) / 2)[static_cast<std::size_t>(rank / 2)]};
}

// A part of an index space that touches none of its sides.
inline Box region_of(const Indices& shape) {
  Box region;
  for (const std::int64_t cells : shape) {
    region.start.push_back(cells / 9 + 1);
    region.count.push_back(cells / 3);
  }
  return region;
}

// What boxes have in common with a region, in indices of the region.
inline std::vector<Box> within(const std::vector<Box>& boxes, const Box& region) {
  std::vector<Box> common;
  for (const Box& box : boxes) {
    Box part;
    for (std::size_t d = 0; d < box.start.size(); ++d) {
      const std::int64_t first = std::max(box.start[d], region.start[d]);
      const std::int64_t end = std::min(box.start[d] + box.count[d], region.start[d] + region.count[d]);
      part.start.push_back(first - region.start[d]);
      part.count.push_back(end - first);
    }
    if (*std::min_element(part.count.begin(), part.count.end()) > 0) common.push_back(std::move(part));
  }
  return common;
}

}  // namespace conform
