// The values of a dimension's coordinate, and the cells that have some of them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fields/field.hpp"
#include "geometry/selection.hpp"

namespace thalweg::fields {

// By its attributes, in degrees. (source: CF conventions, sections 4.1 and 4.2)
bool is_longitude(const Field& field);
bool is_latitude(const Field& field);

struct Axis {
  std::vector<double> values;
  bool is_single = false;     // they are float32, and are compared as that
  bool is_longitude = false;  // 360 degrees apart is the same place

  // Cells of which the value is from the one to the other, both ends in it. Of longitudes those from west to east, and
  // in this order where the ends of the dimension lie between: then they are turned into the circle that begins there.
  struct Part {
    geometry::Selection cells;
    std::vector<double> turned;  // by how many degrees each is; empty: none
  };
  Part between(double from, double to) const;

  // The cell with the nearest value; nothing: it is outside of the cells, as far as their distances say.
  std::optional<std::int64_t> nearest(double value) const;

  std::string range() const;  // for messages: "-89.5 to 89.5"

 private:
  double compared(double value) const { return is_single ? static_cast<double>(static_cast<float>(value)) : value; }
  double distance(double a, double b) const;
};

}  // namespace thalweg::fields
