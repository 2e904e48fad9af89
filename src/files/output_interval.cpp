#include "files/output_interval.hpp"

#include <cmath>

namespace thalweg::files {

std::int64_t TimeOrigin::intervals_until(const Interval& interval, double time_s) const {
  if (interval.seconds != 0.0) return static_cast<std::int64_t>(std::floor((time_s + slack_s) / interval.seconds));
  const Date date = date_at(time_s + slack_s);
  const std::int64_t months = (date.year - reference.year) * 12 + date.month - reference.month;
  const auto count =
      static_cast<std::int64_t>(std::floor(static_cast<double>(months) / static_cast<double>(interval.months)));
  return seconds_between(calendar, reference, begin_of(interval, count)) > time_s + slack_s ? count - 1 : count;
}

Date TimeOrigin::begin_of(const Interval& interval, std::int64_t number) const {
  if (interval.months != 0) return add_months(calendar, reference, number * interval.months);
  return date_at(static_cast<double>(number) * interval.seconds);
}

}  // namespace thalweg::files
