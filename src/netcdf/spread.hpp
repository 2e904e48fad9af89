// How a variable is spread over the ranks, as it follows from what each of them put of it: every rank all of it, or
// each a part. Pure, but for the one step in which ranks compare (netcdf/file.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "geometry/plan.hpp"
#include "netcdf/declared.hpp"

namespace thalweg::netcdf {

// What this rank has put of a variable, without the record dimension, in the order in which the boxes first came.
using Parts = std::vector<Box>;

// What ranks compare, of all variables: largest over all ranks, and summed.
struct Comparison {
  std::vector<std::int64_t> largest;
  std::vector<std::int64_t> sums;
};

struct Spread {
  bool is_decomposed = false;
  std::vector<int> along;  // places among the variable's dimensions
  bool has_holes = false;  // no rank has some of the cells
  int like = -1;           // the first variable that has the same dimensions and parts on every rank; itself
};

// Of this rank.
Comparison comparison_of(const Declared& declared, const std::vector<Parts>& parts, int rank);

// From the comparison of all ranks, which are so many. Errors: SHAPE for what some ranks put and cannot be cut.
std::vector<Spread> spreads_of(const Declared& declared, const Comparison& compared, int ranks);

// Of this rank, along the dimensions of the spread.
geometry::Decomposition decomposition_of(const Declared& declared, int variable, const Spread& spread,
                                         const Parts& parts);

}  // namespace thalweg::netcdf
