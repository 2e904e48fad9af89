// Which rank makes which cells of a target grid: a stretch of its rows along the slowest dimension. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/box.hpp"

namespace thalweg::remap {

class Shares {
 public:
  Shares() = default;
  Shares(Index sizes, int ranks) : sizes_(std::move(sizes)), ranks_(ranks) {}

  const Index& sizes() const { return sizes_; }
  std::int64_t cells() const { return sizes_.product(); }
  // The first cell of a rank's; of the one behind all, the end.
  std::int64_t first_of(int rank) const { return first_row_of(rank) * cells_of_row(); }
  int owner_of(std::int64_t cell) const { return static_cast<int>(cell / cells_of_row() * ranks_ / rows()); }
  Box box_of(int rank) const {
    Box box{Index::filled(sizes_.rank(), 0), sizes_};
    box.start[0] = first_row_of(rank);
    box.count[0] = first_row_of(rank + 1) - box.start[0];
    return box;
  }

 private:
  std::int64_t rows() const { return sizes_[0]; }
  std::int64_t first_row_of(int rank) const { return (rows() * rank + ranks_ - 1) / ranks_; }
  std::int64_t cells_of_row() const { return std::max<std::int64_t>(1, sizes_.product() / sizes_[0]); }

  Index sizes_;
  int ranks_ = 1;
};

}  // namespace thalweg::remap
