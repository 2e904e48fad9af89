#include "fields/units_of_choice.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "catalog/numeric_attribute.hpp"
#include "fields/numbers.hpp"
#include "fields/operation.hpp"
#include "fields/units.hpp"
#include "put/put_variable.hpp"

namespace thalweg::fields {
namespace {

using config::Operation;

Linear conversion_of(const Field& field, const std::string& own, const std::string& wanted) {
  try {
    return conversion(own, wanted);
  } catch (const Error& error) {
    fail(error.code(),
         "field '{}' has the units '{}', which are not converted to '{}': {}; leave 'units' out, or name others in "
         "which the same is measured",
         field.name, own, wanted, error.what());
  }
}

[[noreturn]] void refuse_result(const Field& field, const std::string& wanted, std::string_view of,
                                const std::string& why) {
  fail(THALWEG_ERROR_CONFIG, "field '{}': of its {} nobody can say what it is in '{}', because {}", field.name, of,
       wanted, why);
}

// Of all of a column it is as of all of an interval.
void require_of_column(const Field& field, const std::string& wanted, const Linear& change) {
  if (!field.levels || !field.levels->whole) return;
  const config::WholeColumn whole = *field.levels->whole;
  const bool is_extreme = whole == config::WholeColumn::min || whole == config::WholeColumn::max;
  const auto refuse = [&](const char* why) {
    refuse_result(field, wanted, "columns", fmt::format("{}; leave 'units' out", why));
  };
  if (is_extreme && change.scale < 0.0) refuse("the least cell of a column is the greatest there");
  if (whole == config::WholeColumn::sum && change.offset != 0.0) refuse("of sums these units have another zero");
}

// An offset is none of what is left of a spread and of a change, nor is a sign of a spread.
Linear of_result(const Field& field, const std::string& wanted, Operation operation, Linear change) {
  const auto refuse = [&](const char* why) {
    refuse_result(field, wanted, name_of(operation),
                  fmt::format("{}; leave 'units' out, or write an 'expression' of the field", why));
  };
  require_of_column(field, wanted, change);
  const bool is_extreme = operation == Operation::min || operation == Operation::max;
  if (is_extreme && change.scale < 0.0) refuse("the least value is the greatest there");
  const bool is_of_all = operation == Operation::sum || operation == Operation::rms;
  if (is_of_all && change.offset != 0.0) refuse("these units have another zero");
  if (operation == Operation::std || operation == Operation::difference) change.offset = 0.0;
  if (operation == Operation::std || operation == Operation::rms) change.scale = std::abs(change.scale);
  return change;
}

void set_number(catalog::Attribute& attribute, double value) {
  const Type type = attribute.type && is_real(*attribute.type) ? *attribute.type : Type::float64;
  attribute.type = type;
  attribute.values.resize(size_of(type));
  store_number(type, attribute.values.data(), value);
}

catalog::Attribute& found_or_new(std::vector<catalog::Attribute>& attributes, const char* name, const char* like,
                                 double value) {
  const auto found = std::ranges::find(attributes, name, &catalog::Attribute::name);
  if (found != attributes.end()) return *found;
  const catalog::Attribute* other = catalog::find(attributes, like);
  catalog::Attribute made{name, other == nullptr ? std::nullopt : other->type, "", {}};
  set_number(made, value);
  return attributes.emplace_back(std::move(made));
}

// What is packed is unpacked to other numbers.
void convert_packing(std::vector<catalog::Attribute>& attributes, const Linear& change) {
  const double scale = catalog::number_in(attributes, "scale_factor").value_or(1.0);
  const double offset = catalog::number_in(attributes, "add_offset").value_or(0.0);
  set_number(found_or_new(attributes, "scale_factor", "add_offset", scale), scale * change.scale);
  set_number(found_or_new(attributes, "add_offset", "scale_factor", offset), change.of(offset));
}

// Of a range the ends change places where the sign does. float64 has what a whole number becomes.
void convert_range(catalog::Attribute& attribute, const Linear& change) {
  std::vector<double> numbers = numbers_of(attribute);
  for (double& number : numbers) number = change.of(number);
  if (change.scale < 0.0) std::ranges::reverse(numbers);
  const Type type = is_real(*attribute.type) ? *attribute.type : Type::float64;
  attribute.type = type;
  attribute.values.resize(numbers.size() * size_of(type));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    store_number(type, attribute.values.data() + i * size_of(type), numbers[i]);
}

bool is_range(const catalog::Attribute& attribute, bool is_packed) {
  if (!attribute.type || *attribute.type == Type::character) return false;
  const std::string& name = attribute.name;
  const bool is_valid = name == "valid_min" || name == "valid_max" || name == "valid_range";
  return name == "actual_range" || (is_valid && !is_packed);
}

// The least that is valid is the greatest of other signs.
void exchange_ends(std::vector<catalog::Attribute>& attributes) {
  for (catalog::Attribute& attribute : attributes)
    if (attribute.name == "valid_min")
      attribute.name = "valid_max";
    else if (attribute.name == "valid_max")
      attribute.name = "valid_min";
}

}  // namespace

OtherUnits units_of(const Field& field, const std::string& wanted, Operation operation) {
  if (wanted.empty()) return {};
  const catalog::Attribute* own = catalog::find(field.attributes, "units");
  if (own == nullptr || own->type || own->text.empty())
    fail(THALWEG_ERROR_CONFIG,
         "field '{}' has no units, which could be converted to '{}'; define them as its attribute 'units', or leave "
         "'units' out",
         field.name, wanted);
  if (own->text == wanted) return {};
  if (operation == Operation::count)
    fail(THALWEG_ERROR_CONFIG, "field '{}': its count has no units; leave 'units: {}' out", field.name, wanted);
  if (field.type == Type::character)
    fail(THALWEG_ERROR_CONFIG, "field '{}' is of characters, which have no other units; leave 'units: {}' out",
         field.name, wanted);
  if (const catalog::Attribute* bounds = catalog::find(field.attributes, "bounds"))
    fail(THALWEG_ERROR_CONFIG, "field '{}' has bounds ('{}'), which would have other units than it; leave 'units' out",
         field.name, bounds->text);
  if (const std::string fault = put::packing_fault(field.attributes); !fault.empty())
    fail(THALWEG_ERROR_CONFIG, "field '{}' is not converted to '{}': {}; define it so, or leave 'units' out",
         field.name, wanted, fault);
  return {wanted, of_result(field, wanted, operation, conversion_of(field, own->text, wanted)), field.is_packed()};
}

void convert(std::vector<catalog::Attribute>& attributes, const OtherUnits& units) {
  if (units.text.empty()) return;
  for (catalog::Attribute& attribute : attributes)
    if (attribute.name == "units") attribute = catalog::text_attribute("units", units.text);
  if (units.change.is_none()) return;
  std::erase_if(attributes, [](const catalog::Attribute& of) { return of.name.starts_with("flag_"); });
  for (catalog::Attribute& attribute : attributes)
    if (is_range(attribute, units.is_of_packing)) convert_range(attribute, units.change);
  if (units.change.scale < 0.0 && !units.is_of_packing) exchange_ends(attributes);
  if (units.is_of_packing) convert_packing(attributes, units.change);
}

}  // namespace thalweg::fields
