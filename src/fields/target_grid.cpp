#include "fields/target_grid.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace thalweg::fields {

std::vector<catalog::Attribute> attributes_of_position(bool is_latitude) {
  return {catalog::text_attribute("standard_name", is_latitude ? "latitude" : "longitude"),
          catalog::text_attribute("units", is_latitude ? "degrees_north" : "degrees_east")};
}

bool are_same(const TargetGrid& a, const TargetGrid& b) {
  const auto is_like = [](const GridVariable& one, const GridVariable& other) {
    return one.name == other.name && one.dims == other.dims && one.characters == other.characters &&
           std::ranges::equal(std::as_bytes(std::span(one.values)), std::as_bytes(std::span(other.values)));
  };
  return a.dims == b.dims && a.sizes == b.sizes && std::ranges::equal(a.variables, b.variables, is_like);
}

void define(session::Session& session, session::Collection& collection, const TargetGrid& grid) {
  session::Definitions& definitions = session.definitions();
  for (std::size_t d = 0; d < grid.dims.size(); ++d)
    definitions.define_dimension(collection, grid.dims[d], grid.sizes[static_cast<int>(d)]);
  for (const GridVariable& variable : grid.variables) {
    for (std::size_t d = 0; d < variable.dims.size(); ++d)
      definitions.define_dimension(collection, variable.dims[d], variable.sizes[static_cast<int>(d)]);
    const Type type = variable.characters.empty() ? Type::float64 : Type::character;
    definitions.define_variable(collection, variable.name, fmt::format("{}", fmt::join(variable.dims, ",")), type, -1,
                                "");
    for (const catalog::Attribute& attribute : variable.attributes)
      definitions.define_attribute(collection, variable.name, attribute);
  }
}

void put(session::Session& session, session::Collection& collection, const TargetGrid& grid) {
  for (const GridVariable& variable : grid.variables) {
    const bool is_text = !variable.characters.empty();
    const Type type = is_text ? Type::character : Type::float64;
    const std::byte* data = is_text ? reinterpret_cast<const std::byte*>(variable.characters.data())
                                    : reinterpret_cast<const std::byte*>(variable.values.data());
    const Index stride = contiguous_strides(variable.sizes, static_cast<std::int64_t>(size_of(type)));
    session.put(collection, variable.name, 0, {data, type, variable.sizes, stride});
  }
}

}  // namespace thalweg::fields
