#include "formats/first_record.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "config/parse_value.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {
namespace {

// Times are sums of steps in floating point.
constexpr double slack_s = 1e-3;

// Files of others say "gregorian", "365_day"; what is not known here is compared by the run's own calendar.
Calendar calendar_named(const std::string& name, Calendar fallback) {
  if (name == "gregorian") return Calendar::standard;
  if (name == "365_day") return Calendar::noleap;
  if (name == "366_day") return Calendar::all_leap;
  for (const Calendar calendar : {Calendar::standard, Calendar::proleptic_gregorian, Calendar::julian, Calendar::noleap,
                                  Calendar::all_leap, Calendar::day360})
    if (name_of(calendar) == name) return calendar;
  return fallback;
}

Before compare(const FirstRecord& first, const RunStart& start, std::string* why) {
  const auto units = parse_time_units(first.units);
  if (!units) *why = fmt::format("its times are in '{}'", first.units);
  if (!units) return Before::unknown;
  const Calendar calendar = calendar_named(first.calendar, start.calendar);
  if (!is_model_time(calendar, units->reference, first.value * units->seconds)) {
    *why = fmt::format("its first time is {} {}", first.value, first.units);
    return Before::unknown;
  }
  const Date date = date_after(calendar, units->reference, first.value * units->seconds);
  return seconds_between(start.calendar, start.reference, date) < start.time_s - slack_s ? Before::yes : Before::no;
}

}  // namespace

std::optional<TimeUnits> parse_time_units(const std::string& text) {
  constexpr std::pair<std::string_view, double> known[] = {
      {"second", 1.0},  {"sec", 1.0},   {"s", 1.0},    {"minute", 60.0}, {"min", 60.0},
      {"hour", 3600.0}, {"hr", 3600.0}, {"h", 3600.0}, {"day", 86400.0}, {"d", 86400.0}};
  constexpr std::string_view since = " since ";
  const std::size_t at = text.find(since);
  if (at == std::string::npos) return std::nullopt;
  std::string unit = text.substr(0, at);
  if (unit.size() > 1 && unit.back() == 's') unit.pop_back();
  const auto found = std::ranges::find(known, unit, &std::pair<std::string_view, double>::first);
  if (found == std::end(known)) return std::nullopt;
  try {
    return TimeUnits{found->second, config::parse_date(text.substr(at + since.size()))};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

Before has_records_before(const std::string& path, const RunStart& start, std::string* why) {
  std::string reason = "it has no time coordinate that is known here";
  Before before = Before::unknown;
  try {
    const FormatRow* row = row_at(path);
    FoundRecords found{.has_records = true};
    if (row != nullptr && row->first_record != nullptr) found = row->first_record(path);
    if (!found.has_records) return Before::no;
    if (found.first)
      before = compare(*found.first, start, &reason);
    else if (!found.why.empty())
      reason = found.why;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (before == Before::unknown) log::debug("'{}': its first record is not known: {}", path, reason);
  if (why != nullptr) *why = reason;
  return before;
}

}  // namespace thalweg::formats
