#include "fields/whole_column_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/names.hpp"
#include "fields/field_names.hpp"
#include "fields/units.hpp"

namespace thalweg::fields {
namespace {

using config::WholeColumn;

std::string without_dimension(const std::string& dims, const std::string& name) {
  std::vector<std::string> names = split_names(dims);
  std::erase(names, name);
  return fmt::format("{}", fmt::join(names, ","));
}

// As CF calls it. (source: CF conventions, appendix E)
std::string_view method_of(WholeColumn whole) {
  switch (whole) {
    case WholeColumn::mean: return "mean";
    case WholeColumn::sum: return "sum";
    case WholeColumn::min: return "minimum";
    default: return "maximum";
  }
}

// What holds of each cell holds of no sum of them.
bool is_of_one_cell(std::string_view attribute) {
  return attribute == "standard_name" || attribute.starts_with("valid_");
}

void append(std::vector<catalog::Attribute>& attributes, const char* name, const char* between,
            const std::string& text) {
  const auto found = std::ranges::find(attributes, name, &catalog::Attribute::name);
  const std::string before = found == attributes.end() || found->text.empty() ? "" : found->text + between;
  if (found != attributes.end()) attributes.erase(found);
  attributes.push_back(catalog::text_attribute(name, before + text));
}

}  // namespace

bool has_columns(const Field& field, const std::string& dimension) {
  return has_dimension(field, dimension) && !is_along_one_column(field);
}

void require_columns(const config::FieldSettings& settings, const std::vector<Field>& fields,
                     const std::vector<Chosen>& chosen, const RefuseColumns& refuse) {
  const config::VerticalSettings& vertical = settings.region.vertical;
  const auto is_of_columns = [&](const Chosen& of) {
    return fields[static_cast<std::size_t>(of.field)].levels != nullptr;
  };
  const auto says_itself = [](const config::ChosenField& of) { return is_pattern(of) || of.vertical; };
  if (!vertical.whole || chosen.empty() || std::ranges::any_of(chosen, is_of_columns) ||
      std::ranges::any_of(settings.chosen, says_itself))
    return;
  refuse(
      fmt::format("vertical: none of its fields has the dimension '{}' and another one; name a dimension along which "
                  "columns of theirs lie, or leave 'vertical' out",
                  vertical.dimension));
}

bool WholeColumnChoice::concerns(int field) const {
  return field != weights_ && has_columns(at(field), vertical_.dimension);
}

void WholeColumnChoice::require_columns(const Field& field) const {
  require_numbers(field, refuse_);
  if (!has_dimension(field, vertical_.dimension))
    refuse_(
        fmt::format("vertical: field '{}' has the dimensions ({}), and not '{}', along which the {} is taken; leave "
                    "'vertical' out, or name another dimension",
                    field.name, field.dims, vertical_.dimension, name_of(*vertical_.whole)));
  require_whole_columns(field, vertical_.dimension, divided_, refuse_);
}

void WholeColumnChoice::require_weights(const Field& field) const {
  const Field& weights = at(weights_);
  require_numbers(weights, refuse_);
  if (&field == &weights)
    refuse_(fmt::format("vertical: field '{}' would weigh its own cells; leave it out, or say vertical: none of it",
                        field.name));
  const bool is_along_column = is_along_one_column(weights) && weights.dims == vertical_.dimension;
  if (have_same_cells(field, weights) || is_along_column) return;
  refuse_(fmt::format(
      "vertical: field '{}' has the dimensions ({}){}, but '{}', by which its cells are weighed, has ({}); "
      "name a field that has its cells, or '{}' alone without a decomposition",
      field.name, field.dims, why_not_same_cells(field, weights), weights.name, weights.dims, vertical_.dimension));
}

// A product of both units, which UDUNITS reads. Empty: nobody knows it; of units with a zero of their own there is
// none.
std::string WholeColumnChoice::units_of_sum(const Field& field) const {
  const std::string own = text_of_attribute(field.attributes, "units");
  if (weights_ < 0) return own;
  const std::string of_weights = text_of_attribute(at(weights_).attributes, "units");
  if (own.empty() || of_weights.empty() || has_own_zero(own) || has_own_zero(of_weights)) return "";
  if (own == "1" || of_weights == "1") return own == "1" ? of_weights : own;
  return fmt::format("{} {}", own, of_weights);
}

std::string WholeColumnChoice::how_weighed() const {
  return weights_ < 0 ? "" : fmt::format(" (weighted by {})", at(weights_).last_part());
}

// A dimension that files do not have is known by the standard name of its coordinate alone. (source: CF conventions,
// section 7.3.4)
void WholeColumnChoice::say_how(std::vector<catalog::Attribute>& attributes) const {
  const std::string standard_name = standard_name_along(vertical_.dimension, fields_);
  const std::string_view method = method_of(*vertical_.whole);
  if (standard_name.empty())
    append(attributes, "comment", "; ", fmt::format("{} along {}{}", method, vertical_.dimension, how_weighed()));
  else
    append(attributes, "cell_methods", " ", fmt::format("{}: {}{}", standard_name, method, how_weighed()));
}

std::vector<catalog::Attribute> WholeColumnChoice::attributes_of(const Field& field) const {
  std::vector<catalog::Attribute> made = field.attributes;
  leave_columns(made, vertical_.dimension, fields_);
  say_how(made);
  if (vertical_.whole != WholeColumn::sum) return made;
  const std::string units = units_of_sum(field);
  std::erase_if(made, [](const catalog::Attribute& of) { return of.name == "units" || is_of_one_cell(of.name); });
  if (!units.empty()) made.push_back(catalog::text_attribute("units", units));
  return made;
}

Field WholeColumnChoice::whole_of(int number) const {
  const Field& field = at(number);
  Field made = field;
  made.name = fmt::format("{}, {} along {}{}", field.name, name_of(*vertical_.whole), vertical_.dimension,
                          weights_ < 0 ? "" : " by " + at(weights_).name);
  made.dims = without_dimension(field.dims, vertical_.dimension);
  made.memory_dims = without_dimension(field.memory_dims, vertical_.dimension);
  made.type = is_real(field.type) ? field.type : Type::float64;
  made.is_static = field.is_static && (weights_ < 0 || at(weights_).is_static);
  made.attributes = attributes_of(field);
  made.levels = std::make_shared<const Levels>(
      Levels{.coordinate = weights_, .dimension = vertical_.dimension, .whole = vertical_.whole});
  std::vector<int> operands = {number};
  if (weights_ >= 0) operands.push_back(weights_);
  made.formula = std::make_shared<const Formula>(Formula{made.name, std::move(operands), Evaluator()});
  return made;
}

// The same of the same field is made once, whoever wants it. It has what that has of attributes by now.
int WholeColumnChoice::made_of(int number) {
  require_columns(at(number));
  if (weights_ >= 0) require_weights(at(number));
  Field made = whole_of(number);
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (fields_[f].formula && fields_[f].levels && *fields_[f].levels == *made.levels &&
        fields_[f].formula->operands == made.formula->operands) {
      fields_[f].revise(std::move(made.attributes));
      return static_cast<int>(f);
    }
  fields_.push_back(std::move(made));
  return static_cast<int>(fields_.size()) - 1;
}

}  // namespace thalweg::fields
