#include "fields/result_attributes.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <utility>

#include "fields/day_parts.hpp"
#include "fields/operation.hpp"
#include "fields/units_of_choice.hpp"
#include "files/output_interval.hpp"

namespace thalweg::fields {
namespace {

using config::Operation;

bool is_among(const std::string& attribute, std::initializer_list<std::string_view> others) {
  return std::ranges::find(others, attribute) != others.end();
}

// By it values are packed or listed, which sums and spreads of them are not.
bool is_of_values(const std::string& attribute) {
  return is_number_of_values(attribute) || attribute.starts_with("flag_") ||
         is_among(attribute, {"actual_range", "scale_factor", "add_offset"});
}

// What the field says holds for the result too, unless its values are others.
bool holds_for(const std::string& attribute, Operation operation) {
  if (operation == Operation::once) return true;
  if (attribute == "cell_methods") return false;
  const bool is_of_others = !is_of_values(attribute) || is_of_missing(attribute);
  switch (operation) {
    case Operation::instant:
    case Operation::min:
    case Operation::max: return true;
    case Operation::mean:
    case Operation::diurnal: return !attribute.starts_with("flag_") && attribute != "actual_range";
    case Operation::count: return !is_of_values(attribute) && !is_among(attribute, {"units", "standard_name"});
    case Operation::difference: return is_of_others && !is_among(attribute, {"long_name", "standard_name"});
    default: return is_of_others;
  }
}

// Words of the text, such as "lon" or "crs:", by what they are called here; not "area:", which is a measure.
std::string with_names(const catalog::Attribute& attribute, const std::map<std::string, std::string>& names) {
  if (names.empty()) return attribute.text;
  std::vector<std::string> words;
  std::istringstream said(attribute.text);
  for (std::string word; said >> word;) {
    const bool is_key = word.ends_with(':') && attribute.name != "cell_measures";
    const auto found = names.find(is_key ? word.substr(0, word.size() - 1) : word);
    words.push_back(found == names.end() ? word : found->second + (is_key ? ":" : ""));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

// As it stands in the file. Of temperatures some results are none that a thermometer shows. (source: CF conventions,
// section 3.1.2)
catalog::Attribute as_of_result(catalog::Attribute attribute, const Chosen& chosen,
                                const std::map<std::string, std::string>& names) {
  if (is_among(attribute.name, {"coordinates", "bounds", "grid_mapping", "cell_measures"}))
    attribute.text = with_names(attribute, names);
  const bool is_distance = chosen.operation == Operation::difference || chosen.operation == Operation::std;
  if (attribute.name == "units_metadata" && is_distance) attribute.text = "temperature: difference";
  return attribute;
}

// Of a difference `cell_methods` have no word. Empty: that of the field, if it has one.
std::string long_name_of(const Chosen& chosen, const Field& field) {
  if (chosen.operation != Operation::difference || !chosen.gathered.empty()) return chosen.expression;
  const catalog::Attribute* given = catalog::find(field.attributes, "long_name");
  return "change of " + (!chosen.expression.empty() ? chosen.expression
                         : given != nullptr         ? given->text
                                                    : field.last_part());
}

void add_coordinate(std::vector<catalog::Attribute>& attributes, const std::string& variable) {
  const auto others = std::ranges::find(attributes, "coordinates", &catalog::Attribute::name);
  if (others != attributes.end())
    others->text += " " + variable;
  else
    attributes.push_back(catalog::text_attribute("coordinates", variable));
}

}  // namespace

bool is_number_of_values(const std::string& attribute) {
  return is_of_missing(attribute) || is_among(attribute, {"valid_min", "valid_max", "valid_range"});
}

// Longitudes that are turned may lie beyond what is valid of the others.
std::vector<catalog::Attribute> attributes_of(const Chosen& chosen, const Field& field,
                                              const std::map<std::string, std::string>& names, bool is_turned) {
  std::vector<catalog::Attribute> all;
  for (const catalog::Attribute& attribute : field.attributes) {
    const bool is_of_range = is_of_values(attribute.name) && !is_of_missing(attribute.name);
    if (holds_for(attribute.name, chosen.operation) && !(is_turned && is_of_range))
      all.push_back(as_of_result(attribute, chosen, names));
  }
  if (const std::string name = long_name_of(chosen, field); !name.empty())
    all.push_back(catalog::text_attribute("long_name", name));
  if (chosen.day_parts != 0) add_coordinate(all, DayParts::climatology_of(chosen.day_parts));
  if (is_count(chosen)) all.push_back(catalog::text_attribute("units", "1"));
  convert(all, chosen.units);
  return all;
}

std::string cell_methods_of(const Chosen& chosen, const Field& field, const std::string& time, double time_step_s) {
  if (chosen.operation == Operation::once || !chosen.gathered.empty()) return "";
  const catalog::Attribute* given = catalog::find(field.attributes, "cell_methods");
  std::string methods = given == nullptr ? "" : given->text;
  const std::string_view method = cell_method_of(chosen.operation);
  if (method.empty()) return methods;
  methods += fmt::format("{}{}: {}", methods.empty() ? "" : " ", time, method);
  const Interval sample = files::in_time(chosen.sample, time_step_s);
  if (chosen.operation == Operation::diurnal)
    methods += fmt::format(" within days {}: {} over days", time, method);
  else if (config::is_statistic(chosen.operation) && files::is_set(sample))
    methods += fmt::format(" (interval: {})", interval_text(sample));
  return methods;
}

}  // namespace thalweg::fields
