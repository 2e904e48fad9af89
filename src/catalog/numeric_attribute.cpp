#include "catalog/numeric_attribute.hpp"

#include "base/numbers.hpp"

namespace thalweg::catalog {

std::optional<double> number_in(const Variable& variable, const char* name) {
  const Attribute* found = find(variable.attributes, name);
  std::optional<double> number;
  if (found == nullptr || !found->type || found->values.size() != size_of(*found->type)) return number;
  with_number(*found->type,
              [&](auto kind) { number = static_cast<double>(loaded<decltype(kind)>(found->values.data())); });
  return number;
}

}  // namespace thalweg::catalog
