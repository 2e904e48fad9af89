#include "fields/variable_definitions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fields/dimensions_of_fields.hpp"
#include "fields/grid_of_choice.hpp"
#include "fields/numbers.hpp"
#include "fields/remapped_output.hpp"
#include "fields/result_attributes.hpp"

namespace thalweg::fields {

void VariableDefinitions::define(const Chosen& chosen, const On& on, const DefinedFields& fields) {
  const auto& [region, parts, grid] = on;
  const Field& field = fields.at(chosen.field);
  define_dimensions(session_, collection_, field, fields.dimensions(), region.region);
  DefinedDimensions of = dimensions_in(session_, field, region.region, "", collection_.is_sketch());
  if (grid != nullptr) of = {fmt::format("{}", fmt::join(dims_on(*grid, field), ",")), "", grid->decomposition};
  std::vector<std::string> dims;
  std::string memory_dims = of.memory_dims;
  if (chosen.operation != config::Operation::once) dims.push_back(collection_.declaration.settings().record_dimension);
  if (parts != nullptr) {
    dims.push_back(parts->dimension());
    if (!memory_dims.empty()) memory_dims = parts->dimension() + "," + memory_dims;
  }
  if (!of.dims.empty()) dims.push_back(of.dims);
  session_.definitions().define_variable(collection_, chosen.variable, fmt::format("{}", fmt::join(dims, ",")),
                                         chosen.type, of.decomposition, memory_dims);
  define_attributes(chosen, on, fields);
}

void VariableDefinitions::define_attributes(const Chosen& chosen, const On& on, const DefinedFields& fields) {
  const auto& [region, parts, grid] = on;
  Field field = fields.at(chosen.field);
  if (grid != nullptr) field.attributes = attributes_on(grid->grid, field, grid->left, fields.all());
  const bool is_turned = region.region.turned(field, fields.all()) != nullptr;
  for (const catalog::Attribute& attribute : attributes_of(chosen, field, region.names, is_turned)) {
    const bool is_number = attribute.type && is_number_of_values(attribute.name);
    give(chosen.variable, is_number ? as_values_of(chosen, attribute) : attribute);
  }
  const std::string& time = collection_.declaration.settings().record_dimension;
  std::string methods = cell_methods_of(chosen, field, time, session_.settings().time_step_s);
  if (grid != nullptr && !grid->grid.cell_methods.empty())
    methods += (methods.empty() ? "" : " ") + grid->grid.cell_methods;
  if (!methods.empty()) give(chosen.variable, catalog::text_attribute("cell_methods", methods));
  if (chosen.operation != config::Operation::once || grid != nullptr) define_fill(chosen, field, grid != nullptr);
}

// Errors: CONFIG for a value that the variable cannot have.
catalog::Attribute VariableDefinitions::as_values_of(const Chosen& chosen, const catalog::Attribute& attribute) const {
  if (auto made = converted(attribute, chosen.type)) return *std::move(made);
  fail(
      THALWEG_ERROR_CONFIG,
      "collection '{}', variable '{}': its attribute {} has a number that {} has not; leave 'type' out, or set another "
      "one",
      collection_.name, chosen.variable, attribute.name, name_of(chosen.type));
}

// Cells without a value are missing, which readers are told by this attribute alone. Instants have such cells where the
// field says so, or on another grid.
void VariableDefinitions::define_fill(const Chosen& chosen, const Field& field, bool is_on_grid) {
  const catalog::Attribute* missing = is_count(chosen) ? nullptr : catalog::find(field.attributes, "missing_value");
  if (!is_count(chosen) && catalog::find(field.attributes, "_FillValue") != nullptr) return;
  if (missing == nullptr && !config::is_statistic(chosen.operation) && !field.formula && !is_on_grid) return;
  const Element usual = default_fill(chosen.type);
  std::span<const std::byte> fill = std::span(usual).first(size_of(chosen.type));
  catalog::Attribute of_field;
  if (missing != nullptr && missing->type) {
    of_field = as_values_of(chosen, *missing);
    fill = std::span(of_field.values).first(size_of(chosen.type));  // of several the first
  }
  give(chosen.variable, catalog::attribute_of("_FillValue", chosen.type, fill));
}

void VariableDefinitions::give(const std::string& variable, const catalog::Attribute& attribute) {
  session_.definitions().define_attribute(collection_, variable, attribute);
}

std::string external_measures(const session::Collection& collection, const Choice& choice, const DefinedFields& fields,
                              OtherGrid* grid) {
  std::vector<std::string> missing;
  for (const Chosen& chosen : choice.chosen) {
    const Field& field = fields.at(chosen.field);
    const catalog::Attribute* measures = catalog::find(field.attributes, "cell_measures");
    if (measures == nullptr || (grid != nullptr && grid->of(field) != nullptr)) continue;
    const std::map<std::string, std::string>& names = choice.regions[chosen.region].names;
    std::istringstream said(measures->text);
    for (std::string word; said >> word;) {
      if (word.ends_with(':')) continue;
      const auto other = names.find(word);
      const std::string name = other == names.end() ? word : other->second;
      const bool is_there = std::ranges::find(choice.chosen, name, &Chosen::variable) != choice.chosen.end() &&
                            !collection.declaration.variables().is_disabled(name);
      if (!is_there && std::ranges::find(missing, name) == missing.end()) missing.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(missing, " "));
}

}  // namespace thalweg::fields
