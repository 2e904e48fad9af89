// What ranks want of a variable that is read: boxes of its cells with their halos, or the points of an index list, and
// where they lie in the ranks' arrays. Pure index arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/box.hpp"
#include "geometry/index_list.hpp"
#include "read/fold.hpp"

namespace thalweg::read {

// Cells of the variable, and the place of the first of them in the local array, counted with the halo.
struct Need {
  Box region;
  Index at;
  Mirror mirror{};  // of the dimensions along which places descend where cells ascend
  friend bool operator==(const Need&, const Need&) = default;
};

// A box with its halo, in the dimensions of the variable. Beyond the ends of a dimension that is not periodic there is
// nothing; beyond those of one that is, its cells come again.
struct HaloBox {
  Box box;
  Index low;
  Index high;
};

// What lies beyond the ends of dimensions.
struct Ends {
  std::vector<bool> periodic;
  std::optional<Fold> fold{};
};
std::vector<Need> needs_of(const HaloBox& of, const Index& shape, const Ends& ends);

// What one rank wants: needs, or runs of an index list along one dimension, with all of the other ones.
struct Wanted {
  std::vector<Need> needs;
  int along = -1;  // of a list
  std::vector<geometry::IndexRun> runs;

  bool is_list() const { return along >= 0; }
};

}  // namespace thalweg::read
