// Intervals of model time as the configuration says them, counted from the reference date. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/calendar.hpp"
#include "config/settings.hpp"

namespace thalweg::files {

// Times are sums of steps in floating point: grid points are met to within this.
constexpr double slack_s = 1e-6;
// Steps are met to within a hundredth of them, because models sum up times in their own precision.
constexpr double tolerance_of(double time_step_s) {
  return std::max(slack_s, 0.01 * time_step_s);
}

constexpr bool is_set(const Interval& interval) {
  return interval.steps != 0 || interval.months != 0 || interval.seconds != 0.0;
}
constexpr bool is_time(const Interval& interval) {
  return interval.months != 0 || interval.seconds != 0.0 || interval.is_run;
}

// Steps are as long as the configuration says.
constexpr Interval in_time(const Interval& interval, double time_step_s) {
  return interval.steps == 0 ? interval : Interval{.seconds = static_cast<double>(interval.steps) * time_step_s};
}

// Where model time begins, and from where intervals are counted.
struct TimeOrigin {
  Calendar calendar = Calendar::standard;
  Date reference{};
  Date anchor = reference;
  double anchor_s = 0.0;  // since the reference date
  bool is_from_start = false;

  // The run starts then, from where intervals may be counted.
  void set_start(double start_s);

  Date date_at(double time_s) const { return date_after(calendar, reference, time_s); }
  // Whole intervals, of model time, between the anchor and a time.
  std::int64_t intervals_until(const Interval& interval, double time_s) const;
  // When an interval of this number begins.
  Date begin_of(const Interval& interval, std::int64_t number) const;
};

// Of intervals of a collection: where it chooses fields, its `anchor` says from where they are counted; else it is the
// reference date.
TimeOrigin origin_of(const Interval& interval, const config::CollectionSettings& collection,
                     const config::Settings& settings);

}  // namespace thalweg::files
