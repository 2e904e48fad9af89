// What the end of a run says of its fields: those that collections have and nobody put, and those that were put for
// nothing.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "fields/field.hpp"
#include "fields/field_state.hpp"

namespace thalweg::fields {

struct EndOfFields {
  std::vector<std::string> never_put;  // with the collections that have them
  std::vector<std::string> in_vain;    // that no collection has
};

// Pure.
EndOfFields end_of(const std::vector<Field>& fields, const std::deque<FieldState>& states);
// In the log, up to ten of each.
void say(const EndOfFields& end);

}  // namespace thalweg::fields
