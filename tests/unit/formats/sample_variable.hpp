// A variable of a definition, in a line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::formats::sample {

inline catalog::Variable variable_named(std::string name, Type type, bool has_record, std::vector<int> dimensions) {
  catalog::Variable variable;
  variable.name = std::move(name);
  variable.type = type;
  variable.has_record = has_record;
  variable.dimensions = std::move(dimensions);
  return variable;
}

}  // namespace thalweg::formats::sample
