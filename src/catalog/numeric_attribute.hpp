// Attributes of one number.
#pragma once

#include <optional>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::catalog {

// Nothing: the variable has no attribute of that name, or one of text or several numbers.
std::optional<double> number_in(const Variable& variable, const char* name);

std::optional<double> number_in(const std::vector<Attribute>& attributes, const char* name);

// It says by which numbers values are packed: scale_factor or add_offset, whatever they are.
bool says_packing(const std::vector<Attribute>& attributes);

}  // namespace thalweg::catalog
