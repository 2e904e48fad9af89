// The time in which a collection of fields has records: behind `from`, up to `until`. Pure.
#pragma once

#include <limits>

#include "config/settings.hpp"
#include "files/output_interval.hpp"

namespace thalweg::files {

// Model time; a time that comes within the tolerance of steps to an end meets it.
struct TimeWindow {
  double begin_s = -std::numeric_limits<double>::infinity();
  double end_s = std::numeric_limits<double>::infinity();
  double tolerance_s = slack_s;

  TimeWindow(const config::CollectionSettings& collection, const config::Settings& settings)
      : tolerance_s(tolerance_of(settings.time_step_s)) {
    const auto time_of = [&](const Date& date) {
      return seconds_between(settings.calendar, settings.reference_date, date);
    };
    if (collection.fields.from) begin_s = time_of(*collection.fields.from);
    if (collection.fields.until) end_s = time_of(*collection.fields.until);
  }

  // What ends then is in it.
  bool has(double time_s) const { return time_s > begin_s + tolerance_s && time_s <= end_s + tolerance_s; }
  // So is what begins then.
  bool begins_with(double time_s) const { return time_s >= begin_s - tolerance_s && !is_over(time_s); }
  // Nothing that begins then is.
  bool is_over(double time_s) const { return time_s >= end_s - tolerance_s; }
};

}  // namespace thalweg::files
