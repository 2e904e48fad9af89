// Which cells of a variable in a file are got: the part of it that the model sees as if it were all. Pure index
// arithmetic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/box.hpp"

namespace thalweg::read {

// Along one dimension: cells of the part from `at` on are every step-th cell of the file from `first` on.
struct Stretch {
  std::int64_t at = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;

  std::int64_t stop() const { return at + count; }
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

// In the order of the part, without gaps: of a part across the end of a dimension that goes around there are two.
using Along = std::vector<Stretch>;

// Its cells of the part that lie from start to stop.
Along clipped(const Along& along, std::int64_t start, std::int64_t stop);

// Every step-th of `count` cells from `start` on, of a dimension of so many cells, beyond whose end its first one
// follows.
Along along_cells(std::int64_t start, std::int64_t count, std::int64_t step, std::int64_t extent);

struct Selection {
  Index shape;                // of the variable in the file
  Index chunk;                // there
  std::vector<Along> along;   // of each of its dimensions; empty: all of the variable
  std::vector<bool> is_kept;  // others have one cell, and the part is without them

  bool is_all() const { return along.empty(); }
  // As of a part, but with all of the cells, of which some are then left out.
  static Selection of_all(const Index& shape, const Index& chunk);

  std::vector<Along> kept() const;
  // Of the dimensions that are kept, out of those of the file.
  Index kept_of(const Index& in_file) const;
  Index part_shape() const;
  // A box of the part with the dimensions that are not kept.
  Box with_all_dimensions(const Box& part) const;
};

// The same for parts that lie alike in their dimensions.
std::string to_string(const std::vector<Along>& along);

// A box that is read from a file at a time: every step-th cell of it is one of the window's.
struct Piece {
  Box in_file;
  Index step;
  Box in_window;  // in the dimensions of the file; from the window's first cell

  bool is_dense() const;
};

// What has to be read for cells of the part, which lie in the dimensions that are kept; each cell once. Boxes have at
// most most_cells, or one chunk if that is more. What lies between cells is read with them, but not where it is whole
// chunks, or as many as most_gap cells.
std::vector<Piece> pieces_of(const Selection& selection, const Box& cells, std::int64_t most_cells,
                             std::int64_t most_gap);

}  // namespace thalweg::read
