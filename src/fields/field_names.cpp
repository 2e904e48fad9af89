#include "fields/field_names.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/names.hpp"

namespace thalweg::fields {
namespace {

std::string_view component_of(std::string_view name) {
  return name.substr(0, name.rfind('/') + 1);
}

}  // namespace

FieldNames::FieldNames(const std::vector<Field>& fields) {
  for (int f = 0; f < static_cast<int>(fields.size()); ++f) {
    const Field& field = fields[static_cast<std::size_t>(f)];
    if (!field.is_of_program()) continue;
    by_name_[field.name].push_back(f);
    by_last_part_[field.last_part()].push_back(f);
    components_.emplace(component_of(field.name));
  }
}

const std::vector<int>& FieldNames::named(const std::string& name) const {
  static const std::vector<int> none;
  for (const Numbers* numbers : {&by_name_, &by_last_part_})
    if (const auto found = numbers->find(name); found != numbers->end()) return found->second;
  return none;
}

bool FieldNames::have_component_of(std::string_view name) const {
  const std::string_view component = component_of(name);
  return components_.contains(component) && (!component.empty() || components_.size() == 1);
}

std::vector<std::string> words_of(const std::string& text) {
  std::string list = text;
  std::ranges::replace(list, ' ', ',');
  std::vector<std::string> words = split_names(list);
  std::erase(words, "");
  for (std::string& word : words)
    if (word.ends_with(':')) word.pop_back();  // as in "crs: lat lon"
  return words;
}

bool is_among_names(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool have_any_in_common(const std::vector<std::string>& names, const std::vector<std::string>& others) {
  return std::ranges::any_of(names, [&](const std::string& name) { return is_among_names(others, name); });
}

std::string without_fields_along(const std::string& coordinates, const std::vector<std::string>& dimensions,
                                 const std::vector<Field>& fields) {
  std::istringstream said(coordinates);
  std::vector<std::string> words;
  for (std::string word; said >> word;)
    if (std::ranges::none_of(fields, [&](const Field& of) {
          return (of.name == word || of.last_part() == word) && have_any_in_common(split_names(of.dims), dimensions);
        }))
      words.push_back(word);
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace thalweg::fields
