// What is made of the columns of a field: its values at levels of a coordinate, or one of all of a column. Where levels
// lie is found once a step, for all fields of the same columns. Pure.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fields/cells_put.hpp"
#include "fields/columns.hpp"
#include "fields/kept_values.hpp"
#include "fields/level_places.hpp"
#include "fields/levels.hpp"

namespace thalweg::fields {

class MadeOfColumns {
 public:
  // extents: of each box of the field, in the order of memory; along: the dimension of its columns there.
  MadeOfColumns(std::shared_ptr<const Levels> levels, std::vector<Index> extents, int along);

  const Levels& levels() const { return *levels_; }
  // Where levels lie is found for both at once, if they are of the same columns.
  void join(const MadeOfColumns& other);

  // Of a box; what lies along the columns alone is the same in each.
  Columns columns_of(const KeptValues& values, int box) const;
  Columns columns_of(const put::Field& array) const { return {array, along_}; }

  // The coordinate, or what weighs cells, as it was put last.
  struct Other {
    const KeptValues* values = nullptr;  // null: there is none
    std::int64_t step = -1;
    bool is_single = false;
  };
  // Of a box. missing: numbers of the field that stand for none, beside NaN; is_single: as float32 has them.
  void make(int box, const Columns& field, const std::vector<double>& missing, bool is_single, const Other& other,
            std::span<double> results) const;
  // Cells of so many in what is made are left out of whose columns nothing was put of this.
  void leave_out(const KeptValues& of, int box, std::size_t cells, CellsPut& put) const;

 private:
  struct Found {
    std::int64_t step = -1;
    LevelPlaces places;
  };
  const LevelPlaces& places(int box, const Other& coordinate) const;

  std::shared_ptr<const Levels> levels_;
  std::vector<Index> extents_;
  int along_;
  std::shared_ptr<std::vector<Found>> found_;  // in each box, which those that are like this one have in common
};

}  // namespace thalweg::fields
