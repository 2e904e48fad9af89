// Attributes that a file is given while it is open, and has when it is complete.
#pragma once

#include <span>

#include "catalog/given_attribute.hpp"

namespace thalweg::formats {

// A header of the definition keeps its size: its reserve gets smaller by what they need.
void add_attributes(catalog::Definition& definition, std::span<const catalog::GivenAttribute> given);

}  // namespace thalweg::formats
