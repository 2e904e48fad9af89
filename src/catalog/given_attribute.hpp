// An attribute that a file, or a variable of it, is given.
#pragma once

#include <cstdint>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::catalog {

// Replaces the one of its name.
void set_attribute(std::vector<Attribute>& attributes, Attribute attribute);

struct GivenAttribute {
  static constexpr int of_file = -1;
  int variable = of_file;
  Attribute attribute;

  std::vector<Attribute>& owner_in(Definition& definition) const {
    return variable == of_file ? definition.attributes
                               : definition.variables[static_cast<std::size_t>(variable)].attributes;
  }
};

}  // namespace thalweg::catalog
