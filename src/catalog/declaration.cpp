#include "catalog/declaration.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "catalog/checksum_attributes.hpp"
#include "catalog/encoding.hpp"
#include "catalog/rounding_attributes.hpp"
#include "catalog/time_attributes.hpp"
#include "config/title.hpp"
#include "thalweg_values.h"

namespace thalweg::catalog {
Declaration::Declaration(config::CollectionSettings settings)
    : settings_(std::move(settings)),
      dimensions_(settings_, definition_.dimensions),
      variables_(settings_, dimensions_, definition_),
      attributes_(settings_, variables_, definition_) {
  definition_.format = settings_.format;
  definition_.record_dimension = settings_.record_dimension;
  definition_.one_record = settings_.one_record;
  definition_.header_reserve = settings_.header_reserve;
  definition_.striping = settings_.striping;
}

void Declaration::define_dimension(const std::string& name, std::int64_t size) {
  if (size == THALWEG_UNLIMITED && !name.empty()) return name_record_dimension(name);
  dimensions_.define(name, size);
}

// What the program says holds where the configuration says nothing. Variables that are defined have their records along
// another one.
void Declaration::name_record_dimension(const std::string& name) {
  if (name == record_name_) return;
  if (!record_name_.empty())
    fail(THALWEG_ERROR_NAME,
         "collection '{}': a second unlimited dimension, '{}' beside '{}'; a file has one, so give '{}' the size that "
         "it "
         "will have",
         settings_.name, name, record_name_, name);
  if (name != settings_.record_dimension && !variables_.names().empty())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': '{}' cannot become the record dimension, which is '{}' for the variables that are defined; "
         "define it before them",
         settings_.name, name, settings_.record_dimension);
  if (std::ranges::find(definition_.dimensions, name, &Dimension::name) != definition_.dimensions.end())
    fail(THALWEG_ERROR_NAME, "collection '{}': '{}' is defined as a dimension of a fixed size already", settings_.name,
         name);
  record_name_ = name;
  if (settings_.record_dimension_is_said) return;
  settings_.record_dimension = name;
  definition_.record_dimension = name;
}

std::string Declaration::names_in_files(const std::string& dims) const {
  if (record_name_.empty()) return dims;
  std::vector<std::string> names = split_names(dims);
  std::ranges::replace(names, record_name_, settings_.record_dimension);
  return fmt::format("{}", fmt::join(names, ","));
}

const std::string& Declaration::owner_in_files(const std::string& variable) const {
  const bool is_of_records = !record_name_.empty() && variable == record_name_ && variables_.find(variable) < 0;
  return is_of_records ? settings_.record_dimension : variable;
}

void Declaration::define_variable(const std::string& name, const std::string& dims, Type type,
                                  const DecompositionNames* decomposition, const std::string& memory_dims) {
  variables_.define(name, names_in_files(dims), type, decomposition, memory_dims);
  if (name == settings_.record_dimension) attributes_.give_early();
  if (decomposition == nullptr || !decomposition->masked) return;
  const Element fill = default_fill(type);
  attributes_.define(name, attribute_of("_FillValue", type, std::span(fill).first(size_of(type))));
}

// ---- the end of definitions

void Declaration::finish(Calendar calendar, const Date& reference_date) {
  if (settings_.is_for_variable)  // the others are configured for other files
    std::erase_if(settings_.variables, [this](const auto& of) { return variables_.find(of.first) < 0; });
  require_configured();
  add_configured_attributes();
  variables_.remove_disabled();
  add_record_coordinate(calendar, reference_date);
  dimensions_.check_chunks();
  set_encodings();
  if (settings_.checksum_attributes) declare_checksums(settings_, variables_, definition_);
}

void Declaration::require_configured() const {
  for (const auto& [name, settings] : settings_.variables)
    if (variables_.find(name) < 0)
      fail(THALWEG_ERROR_CONFIG, "{}: variable '{}' is configured, but the model does not define it{}",
           config::title_of(settings_), name, name_hint(name, variables_.names()));
}

void Declaration::add_configured_attributes() {
  for (const auto& [name, text] : settings_.attributes) attributes_.define("", text_attribute(name, text));
  for (const auto& [variable, settings] : settings_.variables)
    for (const auto& [name, text] : settings.attributes) attributes_.define(variable, text_attribute(name, text));
}

// The model's own procedure is told the time with every block.
void Declaration::add_record_coordinate(Calendar calendar, const Date& reference_date) {
  if (!settings_.format->traits.makes_files()) return;
  const std::string& name = settings_.record_dimension;
  if (variables_.find(name) >= 0) return;
  const bool has_records = std::ranges::any_of(definition_.variables, &Variable::has_record);
  if (!settings_.record_coordinate && !has_records) definition_.record_dimension.clear();
  if (settings_.record_coordinate && has_records) {
    Variable coordinate;
    coordinate.name = name;
    coordinate.type = Type::float64;
    coordinate.has_record = true;
    coordinate.attributes = time_attributes(calendar, reference_date);
    if (!settings_.fields.chosen.empty())
      std::ranges::copy(leap_second_attributes(calendar), std::back_inserter(coordinate.attributes));
    variables_.add_own_coordinate(std::move(coordinate));
  }
  attributes_.give_early();
}

void Declaration::set_encodings() {
  if (!settings_.format->traits.chunked()) return;
  const std::set<std::string> coordinates = coordinates_in(definition_.variables);
  for (Variable& variable : definition_.variables) variable.encoding = encoding_of(settings_, variable, coordinates);
  const std::size_t fields = definition_.variables.size();  // what is added comes behind them
  for (std::size_t v = 0; v < fields; ++v)
    if (definition_.variables[v].encoding.rounds())
      describe_rounding(settings_.name, definition_.variables[v], variables_, attributes_);
}

std::string Declaration::description() const {
  std::string text;
  for (const Dimension& dimension : definition_.dimensions)
    text += fmt::format("dimension {} = {}\n", dimension.name, dimension.size);
  for (const Attribute& attribute : definition_.attributes) text += fmt::format("attribute {}\n", text_of(attribute));
  for (const Attribute& attribute : attributes_.early())
    text += fmt::format("attribute {}:{}\n", definition_.record_dimension, text_of(attribute));
  for (std::size_t v = 0; v < definition_.variables.size(); ++v) {
    const Variable& variable = definition_.variables[v];
    std::vector<std::string> dims;
    if (variable.has_record) dims.push_back(definition_.record_dimension);
    for (int d : variable.dimensions) dims.push_back(definition_.dimensions[static_cast<std::size_t>(d)].name);
    const int decomposition = model_side(static_cast<int>(v)).decomposition;
    text += fmt::format("variable {} {}({}) {}\n", name_of(variable.type), variable.name, fmt::join(dims, ","),
                        decomposition < 0 ? "that every rank has as a whole"
                                          : fmt::format("on the rank's decomposition {}", decomposition));
    for (const Attribute& attribute : variable.attributes)
      text += fmt::format("attribute {}:{}\n", variable.name, text_of(attribute));
  }
  return text;
}

}  // namespace thalweg::catalog
