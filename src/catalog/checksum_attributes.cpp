#include "catalog/checksum_attributes.hpp"

#include <string_view>

#include "base/error.hpp"
#include "config/title.hpp"

namespace thalweg::catalog {
namespace {

// FMS gives none to the axes of a file.
bool is_axis(const Definition& definition, const Variable& variable) {
  if (variable.dimensions.size() + (variable.has_record ? 1 : 0) != 1) return false;
  return variable.name == (variable.has_record
                               ? definition.record_dimension
                               : definition.dimensions[static_cast<std::size_t>(variable.dimensions.front())].name);
}

// "" if its sum of bits is FMS's.
std::string_view why_no_checksum(const Variable& variable) {
  const auto has = [&](const char* name) { return find(variable.attributes, name) != nullptr; };
  if (has(checksum_name)) return "it has an attribute 'checksum' of the model's own; leave that out";
  if (has("_FillValue") || has("missing_value"))
    return "of a variable with _FillValue, as those on masked decompositions have one, or missing_value FMS leaves "
           "such values out of the sum, and Thalweg does not; leave the attribute out, and put values everywhere";
  if (variable.type == Type::float32 || variable.type == Type::int32)
    return "FMS sums float32 and int32 as signed numbers of 32 bits, and Thalweg does not; define it as float64";
  if (variable.type != Type::float64 && variable.type != Type::int64)
    return "FMS has no checksum of this type; define it as float64";
  return "";
}

}  // namespace

void declare_checksums(const config::CollectionSettings& settings, const Variables& variables, Definition& definition) {
  for (int v = 0; v < std::ssize(definition.variables); ++v) {
    Variable& variable = definition.variables[static_cast<std::size_t>(v)];
    if (!variables.model_side(v).is_held || is_axis(definition, variable)) continue;
    if (const std::string_view why = why_no_checksum(variable); !why.empty())
      fail(THALWEG_ERROR_CONFIG, "{}, variable '{}' ({}): checksum-attributes: {}", config::title_of(settings),
           variable.name, name_of(variable.type), why);
    variable.takes_checksum = true;
  }
}

}  // namespace thalweg::catalog
