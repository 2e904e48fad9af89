// Where wanted levels lie in the columns of a coordinate, and what a field is there. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fields/columns.hpp"
#include "fields/levels.hpp"

namespace thalweg::fields {

class LevelPlaces {
 public:
  // In each column, from its first level on: where the coordinate has a wanted value, to a millionth of the distance to
  // a level beside, or first passes it. NaN: it has no value there. is_single: it has the value also where it is the
  // same as float32. What levels say outlives this.
  void find(const Columns& coordinate, const Levels& levels, bool is_single = false);

  // What a field is there, as an array of a box that has the wanted levels in place of the model's: a value of the
  // field where the coordinate has the wanted one, else values[k] + w * (values[k + 1] - values[k]). NaN: none.
  // missing: numbers of the field that stand for none, beside NaN; is_single: they are compared as float32 has them.
  void interpolate(const Columns& field, const std::vector<double>& missing, bool is_single,
                   std::span<double> results) const;

 private:
  struct Place {
    std::int32_t level = -1;  // of the model, below it; -1: it has no place
    double weight = 0.0;      // of the next level; 0: the level alone
  };
  class Block;
  class Column;
  void find_in(const Column& column, std::int64_t number, std::vector<std::int32_t>& guesses);

  std::int64_t columns_ = 0;
  std::vector<std::int32_t> level_;  // of each wanted level, of each column
  std::vector<double> weight_;
};

}  // namespace thalweg::fields
