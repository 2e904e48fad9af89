#include "fields/end_of_fields.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/log.hpp"

namespace thalweg::fields {
namespace {

constexpr std::size_t most_listed = 10;

std::set<std::string> collections_of(const FieldState& state) {
  std::set<std::string> names;
  for (const FieldUse& use : state.uses) names.insert(use.output->collection().name);
  return names;
}

// Those that have what is made of a field.
std::vector<std::set<std::string>> collections_by_operand(const std::vector<Field>& fields,
                                                          const std::deque<FieldState>& states) {
  std::vector<std::set<std::string>> collections(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (fields[f].formula)
      for (const int operand : fields[f].formula->operands)
        collections[static_cast<std::size_t>(operand)].merge(collections_of(states[f]));
  return collections;
}

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_listed);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace

std::vector<profile::FieldReport> reports_of(const std::vector<Field>& fields, const std::deque<FieldState>& states) {
  std::vector<profile::FieldReport> reports;
  const std::vector<std::set<std::string>> by_operand = collections_by_operand(fields, states);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::set<std::string> collections = collections_of(states[f]);
    reports.push_back({.name = fields[f].name,
                       .puts = states[f].puts,
                       .collections = {collections.begin(), collections.end()},
                       .collections_of_made = {by_operand[f].begin(), by_operand[f].end()},
                       .is_operand = states[f].is_operand || states[f].is_awaited,
                       .is_derived = !fields[f].is_of_program(),
                       .is_static = fields[f].is_static});
  }
  return reports;
}

void say(const std::vector<profile::FieldReport>& reports) {
  std::vector<std::string> never_put, in_vain;
  for (const profile::FieldReport& of : reports) {
    const bool is_had = !of.collections.empty();
    const std::string whose = fmt::format("{}{}", is_had ? "" : "what is made of it for ",
                                          fmt::join(is_had ? of.collections : of.collections_of_made, ", "));
    if (of.was_never_put()) never_put.push_back(fmt::format("'{}' (of {})", of.name, whose));
    if (of.was_put_in_vain()) in_vain.push_back(fmt::format("'{}'", of.name));
  }
  if (!never_put.empty()) log::warning("fields that collections have and the program never put: {}", listed(never_put));
  if (!in_vain.empty()) log::note("fields that were put and no collection has: {}", listed(in_vain));
}

}  // namespace thalweg::fields
