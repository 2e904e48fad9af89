// Attributes of one number.
#pragma once

#include <optional>

#include "catalog/definition.hpp"

namespace thalweg::catalog {

// Nothing: the variable has no attribute of that name, or one of text or several numbers.
std::optional<double> number_in(const Variable& variable, const char* name);

}  // namespace thalweg::catalog
