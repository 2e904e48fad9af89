// An array that is a box of a field, as columns along one of its dimensions. Pure.
#pragma once

#include <cstdint>

#include "put/field_rows.hpp"

namespace thalweg::fields {

class Columns {
 public:
  // along: the dimension of the columns. What the array lies in outlives this.
  Columns(const put::Field& array, int along);

  std::int64_t levels() const { return levels_; }
  std::int64_t count() const { return others_.extent.product(); }
  // How many of them lie between two levels of a column in the array of a box without halo.
  std::int64_t inner() const { return inner_; }
  // Of columns that follow each other, in the order of memory.
  void load(std::int64_t level, std::int64_t first, std::int64_t columns, double* to) const;

 private:
  put::Field others_;  // one level
  put::FieldRows rows_;
  std::int64_t levels_;
  std::int64_t level_stride_;  // bytes
  std::int64_t inner_ = 1;
};

}  // namespace thalweg::fields
