#include "catalog/numeric_attribute.hpp"

#include "base/numbers.hpp"

namespace thalweg::catalog {

std::optional<double> number_in(const Variable& variable, const char* name) {
  return number_in(variable.attributes, name);
}

std::optional<double> number_in(const std::vector<Attribute>& attributes, const char* name) {
  const Attribute* found = find(attributes, name);
  if (found == nullptr || !found->type || found->values.size() != size_of(*found->type)) return std::nullopt;
  return number_of(*found->type, found->values);
}

bool says_packing(const std::vector<Attribute>& attributes) {
  return find(attributes, "scale_factor") != nullptr || find(attributes, "add_offset") != nullptr;
}

}  // namespace thalweg::catalog
