// Attributes that a file is given while it is open, and has when it is complete.
#pragma once

#include <span>
#include <string>

#include "catalog/given_attribute.hpp"

namespace thalweg::formats {

// A header of the definition keeps its size: its reserve gets smaller by what they need.
void add_attributes(catalog::Definition& definition, std::span<const catalog::GivenAttribute> given);

// Errors: NAME for one that netCDF does not take, or that netCDF-4 has for itself: no library looks at it any more.
// (source: NetCDF Users Guide, "Permitted characters in netCDF names"; reserved attributes of nc4internal.h and of
// HDF5's dimension scales)
void check_late_name(const std::string& name, const std::string& owner);

}  // namespace thalweg::formats
