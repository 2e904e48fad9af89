#include "fields/level_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/names.hpp"
#include "fields/columns_of_fields.hpp"
#include "fields/field_names.hpp"
#include "fields/units.hpp"

namespace thalweg::fields {
namespace {

// By the standard name alone it is known which way values go. (source: CF standard name table)
constexpr std::array upward = {"height", "altitude", "geopotential_height", "height_above_mean_sea_level",
                               "height_above_reference_ellipsoid"};

std::string with_dimension(const std::string& dims, const std::string& from, const std::string& to) {
  std::vector<std::string> names = split_names(dims);
  std::ranges::replace(names, from, to);
  return fmt::format("{}", fmt::join(names, ","));
}

// What a coordinate of the values says of itself.
std::vector<catalog::Attribute> attributes_of_levels(const Field& coordinate, const std::string& units) {
  std::vector<catalog::Attribute> made;
  for (const char* name : {"standard_name", "long_name", "units", "positive"})
    if (const catalog::Attribute* own = catalog::find(coordinate.attributes, name)) made.push_back(*own);
  for (catalog::Attribute& attribute : made)
    if (attribute.name == "units" && !units.empty()) attribute = catalog::text_attribute("units", units);
  const std::string standard_name = text_of_attribute(made, "standard_name");
  if (catalog::find(made, "positive") == nullptr) {
    if (std::ranges::find(upward, standard_name) != upward.end())
      made.push_back(catalog::text_attribute("positive", "up"));
    else if (standard_name == "depth" || standard_name == "air_pressure")
      made.push_back(catalog::text_attribute("positive", "down"));
  }
  made.push_back(catalog::text_attribute("axis", "Z"));
  return made;
}

}  // namespace

template <typename... Values>
void LevelChoice::refuse(fmt::format_string<Values...> text, Values&&... values) const {
  const std::string fault = fmt::format("vertical: {}", fmt::format(text, std::forward<Values>(values)...));
  refuse_(fault);
  fail(THALWEG_ERROR_CONFIG, "{}", fault);
}

// What is said, or the only one that is whole on each rank.
std::string LevelChoice::column_dimension() const {
  const Field& coordinate = at(coordinate_);
  const std::vector<std::string> names = split_names(coordinate.dims), divided = divided_(coordinate);
  const auto is_divided = [&](const std::string& name) { return std::ranges::find(divided, name) != divided.end(); };
  if (!vertical_.dimension.empty()) {
    if (!has_dimension(coordinate, vertical_.dimension))
      refuse("the coordinate '{}' has the dimensions ({}), and not '{}', along which columns are to lie",
             coordinate.name, coordinate.dims, vertical_.dimension);
    if (is_divided(vertical_.dimension))
      refuse(
          "the decomposition of '{}' divides '{}', but each rank needs whole columns; decompose the other "
          "dimensions alone, and define '{}' with thalweg_define_field_dimension",
          coordinate.name, vertical_.dimension, vertical_.dimension);
    return vertical_.dimension;
  }
  std::vector<std::string> whole;
  std::ranges::copy_if(names, std::back_inserter(whole), [&](const std::string& name) { return !is_divided(name); });
  if (whole.empty())
    refuse(
        "the decomposition of '{}' has all its dimensions ({}), but each rank needs whole columns; decompose the "
        "horizontal ones alone, and define that of the columns with thalweg_define_field_dimension",
        coordinate.name, coordinate.dims);
  if (whole.size() > 1)
    refuse(
        "the coordinate '{}' has several dimensions that no decomposition has: {}; say along which columns lie, as "
        "in dimension: {}",
        coordinate.name, fmt::join(whole, ", "), whole.front());
  return whole.front();
}

// What lies along the levels of the model alone has no columns in which a coordinate of the cells could be found.
bool LevelChoice::concerns(int field) const {
  if (field == coordinate_ || !has_dimension(at(field), column_dimension())) return false;
  return !is_along_one_column(at(field)) || is_along_one_column(at(coordinate_));
}

// The coordinate has a value for each of its cells.
void LevelChoice::require_columns(const Field& field, const std::string& dimension) const {
  const Field& coordinate = at(coordinate_);
  require_numbers(field, refuse_);
  require_numbers(coordinate, refuse_);
  if (!has_dimension(field, dimension))
    refuse(
        "field '{}' has the dimensions ({}), and not '{}', along which the columns of '{}' lie; leave 'vertical' out",
        field.name, field.dims, dimension, coordinate.name);
  require_whole_columns(field, dimension, divided_, refuse_);
  if (have_same_cells(field, coordinate) || is_along_one_column(coordinate)) return;
  refuse(
      "field '{}' has the dimensions ({}){}, but the coordinate '{}' has ({}); name a coordinate that has the cells of "
      "the field, or '{}' alone without a decomposition, or say 'vertical: none' of the field",
      field.name, field.dims, why_not_same_cells(field, coordinate), coordinate.name, coordinate.dims, dimension);
}

// The same levels are there once, whoever wants them. Their variable has what the coordinate has of attributes by now.
std::shared_ptr<const Levels> LevelChoice::levels(const std::string& dimension) {
  const Field& coordinate = at(coordinate_);
  Levels made{.coordinate = coordinate_,
              .dimension = dimension,
              .name = vertical_.name.empty() ? coordinate.last_part() : vertical_.name,
              .values = vertical_.to,
              .said = vertical_.to,
              .units = vertical_.units,
              .is_in_log = vertical_.by == config::BetweenLevels::log,
              .takes_nearest = vertical_.outside == config::BeyondColumn::nearest};
  const std::string own_units = text_of_attribute(coordinate.attributes, "units");
  if (!made.units.empty() && own_units.empty())
    refuse(
        "the coordinate '{}' has no units, to which '{}' could be converted; define them as its attribute 'units', "
        "or leave 'units' out",
        coordinate.name, made.units);
  if (!made.units.empty() && made.units != own_units) try {
      const Linear change = conversion(made.units, own_units);
      for (double& value : made.values) value = change.of(value);
    } catch (const Error& error) {
      if (error.code() != THALWEG_ERROR_CONFIG) throw;
      refuse("levels in '{}' are not converted to '{}', the units of '{}': {}", made.units, own_units, coordinate.name,
             error.what());
    }
  if (made.is_in_log && std::ranges::any_of(made.values, [](double value) { return value <= 0.0; }))
    refuse("by: log is of levels above 0, and in '{}' they are {}", own_units, fmt::join(made.values, ", "));
  for (Field& field : fields_)
    if (field.levels && !field.formula && *field.levels == made) {
      field.revise(attributes_of_levels(coordinate, made.units));
      return field.levels;
    }
  auto levels = std::make_shared<const Levels>(std::move(made));
  add_variable(levels);
  return levels;
}

void LevelChoice::add_variable(const std::shared_ptr<const Levels>& levels) {
  Field made;
  made.name = levels->name;
  made.dims = levels->name;
  made.is_static = true;
  made.attributes = attributes_of_levels(at(coordinate_), levels->units);
  made.levels = levels;
  fields_.push_back(std::move(made));
}

Field LevelChoice::at_levels(int number, const std::shared_ptr<const Levels>& levels) const {
  const Field& field = at(number);
  const Field& coordinate = at(coordinate_);
  Field made = field;
  made.name = fmt::format("{} at {} = {}{}{}{}", field.name, coordinate.name, fmt::join(levels->said, ", "),
                          levels->units.empty() ? "" : " " + levels->units, levels->is_in_log ? ", by log" : "",
                          levels->takes_nearest ? ", outside nearest" : "");
  made.dims = with_dimension(field.dims, levels->dimension, levels->name);
  made.memory_dims = with_dimension(field.memory_dims, levels->dimension, levels->name);
  made.type = is_real(field.type) ? field.type : Type::float64;
  made.is_static = field.is_static && coordinate.is_static;
  made.levels = levels;
  made.formula = std::make_shared<const Formula>(Formula{made.name, {number, coordinate_}, Evaluator()});
  leave_columns(made.attributes, levels->dimension, fields_);
  return made;
}

int LevelChoice::made_of(int number) {
  const std::string dimension = column_dimension();
  if (number == coordinate_)
    refuse("field '{}' is the coordinate itself, which has the wanted values there; leave it out", at(number).name);
  require_columns(at(number), dimension);
  const std::shared_ptr<const Levels> wanted = levels(dimension);
  const std::vector<std::string> names = split_names(at(number).dims);
  if (wanted->name != dimension && std::ranges::find(names, wanted->name) != names.end())
    refuse("the levels would be the dimension '{}', which field '{}' has ({}); give them another 'name'", wanted->name,
           at(number).name, at(number).dims);
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (fields_[f].formula && fields_[f].levels == wanted && fields_[f].formula->operands.front() == number) {
      fields_[f].revise(at_levels(number, wanted).attributes);
      return static_cast<int>(f);
    }
  Field made = at_levels(number, wanted);
  fields_.push_back(std::move(made));
  return static_cast<int>(fields_.size()) - 1;
}

}  // namespace thalweg::fields
