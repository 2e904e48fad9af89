// Chunks: the regular grid of boxes in which chunked formats keep a variable. Pure index arithmetic.
#pragma once

#include <cstdint>
#include <vector>

#include "base/box.hpp"

namespace thalweg::geometry {

// Sizes of default chunks: large enough for the device and for compression, small enough to read a part of a field.
constexpr std::int64_t most_chunk_bytes = std::int64_t{8} << 20;

// Extents of a chunk. extent: of an I/O domain, which a chunk does not leave; wanted: what the user said, 0 for what is
// free. Free dimensions are cut evenly, the slowest first, until a chunk has at most most_chunk_bytes, and so that
// the last chunk is as full as can be: chunks stay contiguous in the domain as far as possible.
Index choose_chunk(const Index& extent, const Index& wanted, std::int64_t element_bytes);

// The chunks of a part of a variable: a grid of boxes in row-major order.
struct ChunkGrid {
  Index shape;  // of the variable
  Index chunk;
  Box region;  // starts at a multiple of chunk, and ends at one or at the variable's end

  Index counts() const;  // chunks of the region along each dimension
  std::int64_t size() const { return counts().product(); }
  Box box(std::int64_t position) const;  // of the region's chunk at this position, cut at the region's end
  std::vector<std::int64_t> touching(
      const Box& box) const;                         // positions of those that share a cell with a box in region
  std::int64_t number(std::int64_t position) const;  // row-major number in the grid of the whole variable
};

}  // namespace thalweg::geometry
