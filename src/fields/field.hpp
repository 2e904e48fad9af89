// A field of the session, as the program defines it.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"

namespace thalweg::fields {

struct Field {
  std::string name;  // component/field, or the field alone
  std::string dims;  // slowest first, without the record dimension
  Type type = Type::float64;
  int decomposition = -1;   // number in the session; -1: replicated
  std::string memory_dims;  // as of a variable
  bool is_static = false;   // it has one value in the run
  std::vector<catalog::Attribute> attributes;

  std::string last_part() const { return name.substr(name.rfind('/') + 1); }
};

}  // namespace thalweg::fields
