#include "catalog/definition.hpp"

namespace thalweg::catalog {

void take_attributes(Definition& definition, const Definition& from) {
  definition.attributes = from.attributes;
  definition.header_reserve = from.header_reserve;
  for (std::size_t v = 0; v < definition.variables.size(); ++v)
    definition.variables[v].attributes = from.variables[v].attributes;
}

}  // namespace thalweg::catalog
