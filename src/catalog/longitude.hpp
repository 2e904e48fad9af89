// Longitudes, as their attributes say.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::catalog {

// (source: CF conventions, section 4.2)
inline bool has_units_of_longitude(const std::vector<Attribute>& attributes) {
  constexpr std::array units = {"degrees_east", "degree_east", "degree_E", "degrees_E", "degreeE", "degreesE"};
  const Attribute* said = find(attributes, "units");
  return said != nullptr && std::ranges::count(units, said->text) > 0;
}

}  // namespace thalweg::catalog
