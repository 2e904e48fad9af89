#include "fields/field.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "catalog/numeric_attribute.hpp"
#include "fields/numbers.hpp"

namespace thalweg::fields {

void Field::revise(std::vector<catalog::Attribute> revised) {
  if (attributes == revised) return;
  attributes = std::move(revised);
  ++revision;
}

bool Field::is_packed() const {
  return catalog::says_packing(attributes);
}

bool Field::is_packed_in_reverse() const {
  return catalog::number_in(attributes, "scale_factor").value_or(1.0) < 0.0;
}

void Field::require_as_packed(Type array, const std::string& where) const {
  if (!is_packed() || is_real(type) || !is_real(array)) return;
  fail(THALWEG_ERROR_SHAPE,
       "{}: the array is {}, but what is gathered, masked, put in parts, converted or computed with of field '{}' are "
       "packed "
       "values (scale_factor, add_offset); put {}, or define the field without them, as float32",
       where, name_of(array), name, name_of(type));
}

std::vector<double> Field::missing_values() const {
  if (formula) return {std::numeric_limits<double>::quiet_NaN()};
  return numbers_for_none();
}

std::vector<double> Field::numbers_for_none() const {
  std::vector<double> values;
  for (const catalog::Attribute& attribute : attributes) {
    if (!is_of_missing(attribute.name)) continue;
    for (const double value : numbers_of(attribute))
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

bool Field::has_single_values() const {
  const auto is_single = [](const catalog::Attribute& attribute) {
    return attribute.type == Type::float32 && is_of_missing(attribute.name);
  };
  return type == Type::float32 || std::ranges::any_of(attributes, is_single);
}

bool have_same_cells(const Field& a, const Field& b) {
  return a.dims == b.dims && a.decomposition == b.decomposition && a.memory_dims == b.memory_dims;
}

std::string_view why_not_same_cells(const Field& a, const Field& b) {
  return a.dims != b.dims ? "" : ", on another decomposition or in another order of memory";
}

}  // namespace thalweg::fields
