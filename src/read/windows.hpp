// Windows: the parts of a variable that are read at a time, and by whom. The same on every rank. Pure index arithmetic.
#pragma once

#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "base/joined_dimensions.hpp"
#include "read/selection.hpp"

namespace thalweg::read {

struct Window {
  int reader = 0;
  Box cells;  // in the dimensions of the variable
  Box box;    // with those that an index list joins as one
};

// How a variable, or the part of it that is got, lies in its file.
struct Extents {
  Index shape;
  Index chunk;  // of whole ones of these a window consists; ones where values are not chunked
  JoinedDimensions joined{};
  std::vector<Along> along{};  // of each dimension of a part; empty: it is all of the variable
};

// All of a variable, in the order of its file, in windows of at most that many cells, or of one chunk if that is more;
// those that an index list joins are whole but for the slowest. Each reader has windows that follow each other.
std::vector<Window> windows_of(const Extents& extents, std::int64_t most_cells, int readers);

// The same of a part of it, for a rank that reads it alone: windows end where chunks do, and have no more than the
// part.
std::vector<Window> windows_within(const Box& part, const Extents& extents, std::int64_t most_cells);

// As many as the reader has that has most of them.
std::int64_t rounds_of(const std::vector<Window>& windows, int readers);

}  // namespace thalweg::read
