// Longitudes and latitudes, as their attributes say.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::catalog {

inline bool has_units_among(const std::vector<Attribute>& attributes, const std::array<const char*, 6>& units) {
  const Attribute* said = find(attributes, "units");
  return said != nullptr && std::ranges::count(units, said->text) > 0;
}

// (source: CF conventions, sections 4.1 and 4.2)
inline bool has_units_of_longitude(const std::vector<Attribute>& attributes) {
  return has_units_among(attributes, {"degrees_east", "degree_east", "degree_E", "degrees_E", "degreeE", "degreesE"});
}
inline bool has_units_of_latitude(const std::vector<Attribute>& attributes) {
  return has_units_among(attributes, {"degrees_north", "degree_north", "degree_N", "degrees_N", "degreeN", "degreesN"});
}

}  // namespace thalweg::catalog
