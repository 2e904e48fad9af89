#include "fields/field_names.hpp"

namespace thalweg::fields {

std::vector<int> named(const std::vector<Field>& fields, const std::string& name) {
  std::vector<int> whole, last;
  for (int f = 0; f < static_cast<int>(fields.size()); ++f) {
    const Field& field = fields[static_cast<std::size_t>(f)];
    if (!field.is_of_program()) continue;
    if (field.name == name) whole.push_back(f);
    if (field.has_last_part(name)) last.push_back(f);
  }
  return whole.empty() ? last : whole;
}

}  // namespace thalweg::fields
