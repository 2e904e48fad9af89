#include "formats/time_scale.hpp"

#include <limits>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace thalweg::formats {
namespace {

// By CF, who says none means "standard", and files of other calendars than the run's are translated by it. Elsewhere
// what says none is taken for the run's own.
std::optional<Calendar> calendar_of(const std::string& said, const RunStart& start) {
  if (!said.empty()) return calendar_named(said);
  return start.translates ? Calendar::standard : start.calendar;
}

bool is_gregorian(Calendar calendar) {
  return calendar == Calendar::standard || calendar == Calendar::proleptic_gregorian;
}

// Whether both calendars have the same days at that date, and from there on.
bool agree_on(Calendar a, Calendar b, const Date& date) {
  if (a == b) return true;
  const auto day = std::make_tuple(date.year, date.month, date.day);
  return is_gregorian(a) && is_gregorian(b) && day >= std::make_tuple(1582, 10, 15);
}

}  // namespace

std::optional<TimeScale> TimeScale::understood(const std::string& units, const std::string& calendar,
                                               const RunStart& start, std::string* why) {
  const auto known = calendar_of(calendar, start);
  if (!known) {
    *why = fmt::format("its calendar is '{}', and none of {}; 'cdo setcalendar' or 'ncatted' gives the file such a one",
                       calendar, known_calendars);
    return std::nullopt;
  }
  const auto parsed = parse_time_units(units, *known);
  if (!parsed) {
    *why = fmt::format("its times are in '{}', and not in {}; 'cdo setreftime' or 'ncatted' gives the file such units",
                       units, forms_of_time_units);
    return std::nullopt;
  }
  return TimeScale(units, *parsed, *known, start);
}

std::optional<double> TimeScale::model_time(double value, std::string* why) const {
  const double since_s = value * units_.seconds;
  if (!is_model_time(calendar_, units_.reference, since_s)) {
    *why = fmt::format("it has the time {} {}", value, said_);
    return std::nullopt;
  }
  // As it is, to the last bit.
  if (calendar_ == start_.calendar && units_.reference == start_.reference) return since_s;
  const Date date = date_after(calendar_, units_.reference, since_s);
  if (start_.translates && date.day > days_in_month(start_.calendar, date.year, date.month))
    return std::numeric_limits<double>::quiet_NaN();
  return seconds_between(start_.calendar, start_.reference, date);
}

std::optional<double> TimeScale::own_time(double value, std::string* why) const {
  const auto time_s = model_time(value, why);
  if (!time_s || start_.translates || calendar_ == start_.calendar) return time_s;
  const Date date = date_after(calendar_, units_.reference, value * units_.seconds);
  if (agree_on(calendar_, start_.calendar, date)) return time_s;
  *why = fmt::format(
      "it is of the calendar '{}', and this run of '{}'; a file that is named below 'forcing' is translated",
      name_of(calendar_), name_of(start_.calendar));
  return std::nullopt;
}

}  // namespace thalweg::formats
