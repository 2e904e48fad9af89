#include "fields/grid_of_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fields/axis.hpp"
#include "fields/field_names.hpp"

namespace thalweg::fields {

std::vector<std::string> dimensions_left(const config::GridSettings& grid, const std::vector<std::string>& divided) {
  if (grid.mean.empty()) return grid.is_none() ? std::vector<std::string>() : divided;
  return have_any_in_common(grid.mean, divided) ? grid.mean : std::vector<std::string>();
}

bool is_of_places(const Field& field, const std::vector<Field>& fields) {
  const auto is_place = [](const Field& of) { return of.is_static && (is_latitude(of) || is_longitude(of)); };
  const auto has_it_as_bounds = [&](const Field& of) {
    const catalog::Attribute* bounds = catalog::find(of.attributes, "bounds");
    return bounds != nullptr && bounds->text == field.last_part() && is_place(of);
  };
  return is_place(field) || (field.is_static && std::ranges::any_of(fields, has_it_as_bounds));
}

Type type_on_grid(const config::GridSettings& grid, const Field& field, Type type, std::optional<Type> wanted,
                  const RefuseOnGrid& refuse) {
  if (field.type == Type::character)
    refuse(fmt::format("grid: field '{}' is of characters, which cannot be on another grid", field.name));
  if (field.is_packed())
    refuse(
        fmt::format("grid: what is put of field '{}' are packed values (scale_factor, add_offset), with which nothing "
                    "is computed; put it unpacked",
                    field.name));
  if (grid.is_of_points() || is_real(type)) return type;
  if (wanted)
    refuse(
        fmt::format("grid: cells are made of several, and '{}' cannot be of type {}, whose numbers are whole; set "
                    "type: float32, or float64",
                    field.name, name_of(type)));
  return Type::float64;
}

std::vector<catalog::Attribute> attributes_on(const TargetGrid& grid, const Field& field,
                                              const std::vector<std::string>& left, const std::vector<Field>& fields) {
  std::vector<catalog::Attribute> all;
  std::string coordinates;
  for (const catalog::Attribute& attribute : field.attributes)
    if (attribute.name == "coordinates")
      coordinates = without_fields_along(attribute.text, left, fields);
    else if (attribute.name != "cell_measures" && attribute.name != "grid_mapping" && attribute.name != "actual_range")
      all.push_back(attribute);
  if (!coordinates.empty() && !grid.coordinates.empty()) coordinates += " ";
  coordinates += grid.coordinates;
  if (!coordinates.empty()) all.push_back(catalog::text_attribute("coordinates", coordinates));
  return all;
}

}  // namespace thalweg::fields
