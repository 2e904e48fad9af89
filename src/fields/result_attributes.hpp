// What the variable of a chosen field says in a file: what the field says, as far as it holds for the result, and what
// has become of it. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fields/choice.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

// It has numbers as the variable has them.
bool is_number_of_values(const std::string& attribute);

// What several operations make has none of theirs.
inline bool is_count(const Chosen& chosen) {
  return chosen.operation == config::Operation::count && chosen.gathered.empty();
}

// names: of static fields that are called otherwise. is_turned: its longitudes are.
std::vector<catalog::Attribute> attributes_of(const Chosen& chosen, const Field& field,
                                              const std::map<std::string, std::string>& names, bool is_turned);

// In cell_methods; empty: nothing. time: the variable.
std::string cell_methods_of(const Chosen& chosen, const Field& field, const std::string& time, double time_step_s);

}  // namespace thalweg::fields
