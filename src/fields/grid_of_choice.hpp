// What becomes of fields where their collection has them on another grid. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/grid_settings.hpp"
#include "fields/field.hpp"
#include "fields/target_grid.hpp"

namespace thalweg::fields {

// The dimensions of a field that files do not have; empty: it stays as it is. divided: those of its decomposition.
std::vector<std::string> dimensions_left(const config::GridSettings& grid, const std::vector<std::string>& divided);

// It says where the model's cells lie, or where their edges are. Another grid has its own; what it keeps of the model's
// comes with the fields that need it.
bool is_of_places(const Field& field, const std::vector<Field>& fields);

// Of a variable on the other grid. type: by its operation; wanted: by the configuration. Calls refuse, which throws,
// for a field that cannot be on it.
using RefuseOnGrid = std::function<void(const std::string&)>;
Type type_on_grid(const config::GridSettings& grid, const Field& field, Type type, std::optional<Type> wanted,
                  const RefuseOnGrid& refuse);

// Its attributes, without what is of cells and dimensions that are left.
std::vector<catalog::Attribute> attributes_on(const TargetGrid& grid, const Field& field,
                                              const std::vector<std::string>& left, const std::vector<Field>& fields);

}  // namespace thalweg::fields
