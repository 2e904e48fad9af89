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

}  // namespace thalweg::catalog
