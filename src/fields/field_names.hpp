// Fields by their names. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fields/field.hpp"

namespace thalweg::fields {

// Those that are made of others have no name.
class FieldNames {
 public:
  explicit FieldNames(const std::vector<Field>& fields);

  // Numbers of the fields of this name, or if there is none of those of which it is the last part.
  const std::vector<int>& named(const std::string& name) const;
  bool are_any() const { return !by_name_.empty(); }
  // Some field is of the same component. The last part of a name may be of one that is still to come, if the program
  // has components at all.
  bool have_component_of(std::string_view name) const;

 private:
  using Numbers = std::unordered_map<std::string, std::vector<int>>;
  Numbers by_name_, by_last_part_;
  std::set<std::string, std::less<>> components_;  // "ocean/", or nothing
};

// Those in an attribute such as `coordinates`.
std::vector<std::string> words_of(const std::string& text);
bool is_among_names(const std::vector<std::string>& names, const std::string& name);
bool have_any_in_common(const std::vector<std::string>& names, const std::vector<std::string>& others);
// Words of `coordinates` without fields along some dimensions.
std::string without_fields_along(const std::string& coordinates, const std::vector<std::string>& dimensions,
                                 const std::vector<Field>& fields);

}  // namespace thalweg::fields
