// Cells of a dimension by the values of its coordinate. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace thalweg::read {

// Cells that follow each other in the file; beyond its end, from its first cell on.
struct Cells {
  std::int64_t start = 0;
  std::int64_t count = 0;
  std::int64_t around = 0;  // how many cells there are before the first one comes again

  friend bool operator==(const Cells&, const Cells&) = default;
};

// Values of a coordinate in the order of the file. Longitudes are counted modulo 360 degrees, and may begin anew at a
// place, as 0 to 180 and -179 to -1 do. A value is that of a cell if both are the same in the type of the file, or
// differ by no more than a millionth of the distance between neighbours.
class Coordinate {
 public:
  // where: begins the text of errors. Errors: FORMAT where values neither ascend nor descend.
  Coordinate(std::string name, Type type, std::vector<double> values, bool is_longitude, std::string where);

  // Errors: NAME, with the nearest values.
  std::int64_t cell_of(double value) const;
  // Of two that are as near, the one of the larger value.
  std::int64_t nearest_cell(double value) const;
  // Both ends included. Of a longitude from the low one to the east; of any other one in either order. Errors: ARGUMENT
  // for a range without cells, or one of more than 360 degrees, or from both ends of longitudes that do not go around.
  Cells cells_between(std::optional<double> low, std::optional<double> high) const;

 private:
  double as_stored(double value) const;
  double distance(std::int64_t cell, double value) const;
  Cells in_range(double low, double high) const;
  Cells around_globe(double low, double high) const;
  [[noreturn]] void refuse_range(double low, double high) const;

  std::string name_;
  Type type_;
  std::vector<double> given_;   // as in the file
  std::vector<double> values_;  // ascending, whichever way the file has them
  bool is_longitude_;
  double sign_ = 1.0;  // -1: the file's descend
  double tolerance_ = 0.0;
  std::int64_t around_ = 0;  // cells once around the globe; 0: they do not go around
  std::string where_;
};

}  // namespace thalweg::read
