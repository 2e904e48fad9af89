#include "fields/unknown_fields.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/title.hpp"

namespace thalweg::fields {
namespace {

std::vector<std::string> names_of_program(const std::vector<Field>& fields) {
  std::vector<std::string> names;
  for (const Field& field : fields)
    if (field.is_of_program()) names.push_back(field.name);
  return names;
}

// What is wrong with a name that no field has. An expression may have meant a component and its field where it says a
// quotient.
std::string fault_of(const UnknownField& unknown, const std::vector<Field>& fields) {
  const std::vector<std::string> names = names_of_program(fields);
  const std::string& name = unknown.name;
  if (!unknown.expression.empty()) {
    const auto of_component = std::ranges::find_if(names, [&](const auto& of) { return of.starts_with(name + "/"); });
    const std::string hint = of_component == names.end()
                                 ? name_hint(name, names) + "; with 'optional: true' the variable is left out"
                                 : fmt::format("; a name with its component is in quotes, as in '{}'", *of_component);
    return config::fault_of(unknown.expression, unknown.begin, fmt::format("there is no field '{}'{}", name, hint));
  }
  if (names.empty())
    return fmt::format("field '{}' is chosen, but the program defines no fields (thalweg_define_field)", name);
  if (unknown.is_pattern) return fmt::format("no field is like '{}'; fields are {}", name, fmt::join(names, ", "));
  return fmt::format("field '{}' is chosen, but the program does not define it{}; with 'optional: true' it is left out",
                     name, name_hint(name, names));
}

}  // namespace

std::vector<std::string> faults_of(const Choice& choice, const std::vector<Field>& fields) {
  std::vector<std::string> faults;
  for (const UnknownField& unknown : choice.unknown)
    if (std::string fault = fault_of(unknown, fields); std::ranges::find(faults, fault) == faults.end())
      faults.push_back(std::move(fault));
  return faults;
}

void require_known(const config::CollectionSettings& collection, const Choice& choice,
                   const std::vector<Field>& fields) {
  if (choice.unknown.empty()) return;
  fail(THALWEG_ERROR_CONFIG, "{}: {}", config::title_of(collection),
       fmt::format("{}", fmt::join(faults_of(choice, fields), "\n  ")));
}

}  // namespace thalweg::fields
