// The northern fold of a tripolar grid: beyond the last row lie the rows before it, the other way round. Pure index
// arithmetic (source: NEMO reference manual, section on the north fold of the ORCA grids).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/box.hpp"

namespace thalweg::read {

// The dimensions along which an array holds cells in the opposite order, if any, and whether their signs change.
struct Mirror {
  int rows = -1;
  int columns = -1;
  bool is_negated = false;

  bool turns(int dimension) const { return dimension == rows || dimension == columns; }
  friend bool operator==(const Mirror&, const Mirror&) = default;
};

// Of n rows and m columns, counted from 0: row n - 1 + k is row n - 1 - k + row_shift, and column i of it is column
// (column_shift - i) mod m there.
struct Fold {
  Mirror mirror;
  int row_shift = 0;
  int column_shift = 0;
  friend bool operator==(const Fold&, const Fold&) = default;
};

// As the words of a model say it: "fold PIVOT POINT" or "fold PIVOT POINT -1", where the pivot is a point T or F of the
// last row and the values are at the points T, U, V or F of their cells; -1: components of a vector, whose sign
// changes. The dimensions are not set. Errors: ARGUMENT; the text begins with `where`.
Fold fold_of(std::string_view words, const std::string& where);

}  // namespace thalweg::read
