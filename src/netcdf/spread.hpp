// How a variable is spread over the ranks, as it follows from what each of them put of it: every rank all of it, or
// each a part. Pure, but for the steps in which ranks compare (netcdf/file.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "geometry/plan.hpp"
#include "netcdf/declared.hpp"

namespace thalweg::netcdf {

// What this rank has put of a variable, without the record dimension, in the order in which the boxes first came.
using Parts = std::vector<Box>;

// Along which dimensions a variable is cut, as it follows from the largest flags of all ranks.
struct Cut {
  bool has_parts = false;  // what ranks have put are parts of the whole
  std::vector<int> along;  // places among the variable's dimensions
};

struct Spread {
  bool is_decomposed = false;
  std::vector<int> along;
  bool has_holes = false;  // no rank has some of the cells
  // The same for what has the same dimensions along the cut, and parts on every rank.
  std::string key;
};

// Of this rank; ranks compare the largest.
std::vector<std::int64_t> flags_of(const Declared& declared, const std::vector<Parts>& parts);
std::vector<Cut> cuts_of(const Declared& declared, std::span<const std::int64_t> largest_flags, int ranks);

// Of this rank; ranks add them up.
std::vector<std::int64_t> counts_of(const Declared& declared, const std::vector<Parts>& parts,
                                    const std::vector<Cut>& cuts, int rank);
// From those of all ranks, which are so many. Errors: AGREEMENT for what some ranks put and cannot be cut.
std::vector<Spread> spreads_of(const Declared& declared, const std::vector<Cut>& cuts,
                               std::span<const std::int64_t> counts, int ranks);

// Of this rank, along the dimensions of the spread.
geometry::Decomposition decomposition_of(const Declared& declared, int variable, const Spread& spread,
                                         const Parts& parts);

}  // namespace thalweg::netcdf
