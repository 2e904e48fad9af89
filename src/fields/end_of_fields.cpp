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

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_listed);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace

EndOfFields end_of(const std::vector<Field>& fields, const std::deque<FieldState>& states) {
  EndOfFields end;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const FieldState& state = states[f];
    if (fields[f].formula) continue;
    const std::set<std::string> collections = collections_of(state);
    const bool is_had = !collections.empty() || state.is_operand || state.is_awaited;
    if (is_had && !state.was_put)
      end.never_put.push_back(collections.empty()
                                  ? fmt::format("'{}' (of an expression)", fields[f].name)
                                  : fmt::format("'{}' (of {})", fields[f].name, fmt::join(collections, ", ")));
    if (!is_had && state.was_put && !fields[f].is_static) end.in_vain.push_back(fmt::format("'{}'", fields[f].name));
  }
  return end;
}

void say(const EndOfFields& end) {
  if (!end.never_put.empty())
    log::warning("fields that collections have and the program never put: {}", listed(end.never_put));
  if (!end.in_vain.empty()) log::note("fields that were put and no collection has: {}", listed(end.in_vain));
}

}  // namespace thalweg::fields
