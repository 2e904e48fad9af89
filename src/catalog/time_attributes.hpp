// What a time says of itself. (source: CF conventions, section 4.4)
#pragma once

#include <string>
#include <vector>

#include "base/calendar.hpp"
#include "catalog/definition.hpp"

namespace thalweg::catalog {

// In seconds since the reference date.
inline std::vector<Attribute> time_attributes(Calendar calendar, const Date& reference_date) {
  return {text_attribute("standard_name", "time"), text_attribute("axis", "T"),
          text_attribute("units", seconds_since(reference_date)),
          text_attribute("calendar", std::string(name_of(calendar)))};
}

// Of calendars that have some in the world. (source: CF conventions 1.12, section 4.4.4)
inline std::vector<Attribute> leap_second_attributes(Calendar calendar) {
  if (calendar != Calendar::standard && calendar != Calendar::proleptic_gregorian) return {};
  return {text_attribute("units_metadata", "leap_seconds: none")};
}

}  // namespace thalweg::catalog
