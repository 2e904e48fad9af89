// What the end of a run says of its fields: how often each was put and which collections have it, and of these those
// that nobody put, and those that were put for nothing.
#pragma once

#include <deque>
#include <vector>

#include "fields/field.hpp"
#include "fields/field_state.hpp"
#include "profile/report.hpp"

namespace thalweg::fields {

// Of each field, in their order. Pure.
std::vector<profile::FieldReport> reports_of(const std::vector<Field>& fields, const std::deque<FieldState>& states);
// In the log, up to ten of those that were never put, or put in vain.
void say(const std::vector<profile::FieldReport>& reports);

}  // namespace thalweg::fields
