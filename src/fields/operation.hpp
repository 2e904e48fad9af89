// What operations in time are in CF, and what their results are. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/calendar.hpp"
#include "base/types.hpp"
#include "config/field_settings.hpp"

namespace thalweg::fields {

// In `cell_methods`; "": CF has no word for it. (source: CF conventions 1.12, appendix E)
std::string_view cell_method_of(config::Operation operation);

// Of a field of this type, unless the configuration says it.
Type type_of_result(config::Operation operation, Type field);
bool can_have(config::Operation operation, Type result);

// "1 hour", "2.5 hours", "1 month": as CF has a time in `cell_methods`.
std::string interval_text(const Interval& interval);

}  // namespace thalweg::fields
