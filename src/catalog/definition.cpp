#include "catalog/definition.hpp"

#include <utility>

namespace thalweg::catalog {

// A variable of one value lies in one piece.
Definition in_files(Definition definition) {
  if (!std::exchange(definition.one_record, false)) return definition;
  definition.record_dimension.clear();
  for (Variable& variable : definition.variables) {
    variable.has_record = false;
    variable.is_chunked &= !variable.dimensions.empty() || definition.format->traits.objects;
  }
  return definition;
}

void take_attributes(Definition& definition, const Definition& from) {
  definition.attributes = from.attributes;
  definition.header_reserve = from.header_reserve;
  for (std::size_t v = 0; v < definition.variables.size(); ++v)
    definition.variables[v].attributes = from.variables[v].attributes;
}

}  // namespace thalweg::catalog
