// Units of time coordinates, as files of others have them: CF 1.12, §4.4, which takes them from UDUNITS.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/calendar.hpp"

namespace thalweg::formats {

// "hours since 1900-1-1 00:00:0.0 +1:00" as seconds for each unit, and the date in UTC.
struct TimeUnits {
  double seconds = 1.0;
  Date reference{};
};

// For messages.
constexpr const char* forms_of_time_units =
    "weeks, days, hours, minutes, seconds or parts of these since a date of the calendar, as in 'days since "
    "2000-01-01' "
    "or 'hours since 1900-1-1 06:00:00.0 +1:00'";

// ASCII, whatever the locale.
std::string in_small_letters(std::string_view text);

// Of CF 1.12, §4.4.2, and of FMS, in small or capital letters. Nothing: it is none of them.
std::optional<Calendar> calendar_named(std::string_view name);
constexpr const char* known_calendars =
    "standard (gregorian), proleptic_gregorian, julian, noleap (365_day), all_leap (366_day), 360_day";

// Whether a text says "… since …", in small or capital letters.
bool says_since(std::string_view text);

// Nothing: it is no such text, or its calendar does not have the date.
std::optional<TimeUnits> parse_time_units(std::string_view text, Calendar calendar);

}  // namespace thalweg::formats
