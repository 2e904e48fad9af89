#include "catalog/definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/numbers.hpp"

namespace thalweg::catalog {

std::string text_of(const Attribute& attribute) {
  if (!attribute.type) return fmt::format("{} = {:?}", attribute.name, attribute.text);
  std::vector<std::string> numbers;
  with_number(*attribute.type, [&](auto kind) {
    using Number = decltype(kind);
    for (std::size_t at = 0; at < attribute.values.size(); at += sizeof(Number))
      numbers.push_back(fmt::format("{}", loaded<Number>(attribute.values.data() + at)));
  });
  return fmt::format("{} = {} ({})", attribute.name, fmt::join(numbers, ", "), name_of(*attribute.type));
}

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
