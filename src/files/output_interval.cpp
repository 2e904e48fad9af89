#include "files/output_interval.hpp"

#include <cmath>

namespace thalweg::files {
namespace {

Date unit_begin(const Interval& interval, const Date& reference) {
  if (interval.months != 0) return {.year = reference.year};
  return {.year = reference.year, .month = reference.month, .day = reference.day};
}

}  // namespace

void TimeOrigin::set_start(double start_s) {
  if (!is_from_start) return;
  anchor = date_at(start_s);
  anchor_s = start_s;
}

std::int64_t TimeOrigin::intervals_until(const Interval& interval, double time_s) const {
  if (interval.seconds != 0.0)
    return static_cast<std::int64_t>(std::floor((time_s - anchor_s + slack_s) / interval.seconds));
  const Date date = date_at(time_s + slack_s);
  const std::int64_t months = (date.year - anchor.year) * 12 + date.month - anchor.month;
  const auto count =
      static_cast<std::int64_t>(std::floor(static_cast<double>(months) / static_cast<double>(interval.months)));
  return seconds_between(calendar, reference, begin_of(interval, count)) > time_s + slack_s ? count - 1 : count;
}

Date TimeOrigin::begin_of(const Interval& interval, std::int64_t number) const {
  if (interval.months != 0) return add_months(calendar, anchor, number * interval.months);
  return date_at(anchor_s + static_cast<double>(number) * interval.seconds);
}

TimeOrigin origin_of(const Interval& interval, const config::CollectionSettings& collection,
                     const config::Settings& settings) {
  TimeOrigin origin{settings.calendar, settings.reference_date};
  if (collection.fields.chosen.empty()) return origin;
  origin.is_from_start = collection.fields.anchor == config::Anchor::start;
  if (collection.fields.anchor != config::Anchor::calendar) return origin;
  origin.anchor = unit_begin(interval, origin.reference);
  origin.anchor_s = seconds_between(origin.calendar, origin.reference, origin.anchor);
  return origin;
}

}  // namespace thalweg::files
