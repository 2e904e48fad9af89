// Fields by their names. Pure.
#pragma once

#include <string>
#include <vector>

#include "fields/field.hpp"

namespace thalweg::fields {

// Those of this name, or if there is none those of which it is the last part; those that are made of others have no
// name.
std::vector<int> named(const std::vector<Field>& fields, const std::string& name);

}  // namespace thalweg::fields
