// How readers are told that values were rounded.
#pragma once

#include "catalog/attributes.hpp"
#include "catalog/variables.hpp"

namespace thalweg::catalog {

// Gives a rounded variable its attributes, and adds the variable that says the algorithm, if there is none yet. Errors:
// NAME if the model has defined a variable of its name.
void describe_rounding(const std::string& collection, const Variable& rounded, Variables& variables,
                       Attributes& attributes);

}  // namespace thalweg::catalog
