// Collections of a model, and what their schedules say of its run.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "files/record_schedule.hpp"

namespace thalweg::files::sample {

using config::CollectionSettings;
using config::Settings;
using Strings = std::vector<std::string>;

constexpr double minute = 60.0, hour = 3600.0, day = 86400.0;

inline Settings model(double time_step_s, Calendar calendar = Calendar::noleap) {
  Settings settings;
  settings.calendar = calendar;
  settings.time_step_s = time_step_s;
  settings.reference_date = {.year = 2000, .month = 1, .day = 1};
  return settings;
}

inline CollectionSettings collection(const std::string& file, const Interval& every, const Interval& new_file = {}) {
  CollectionSettings settings;
  settings.name = "history";
  settings.file = file;
  settings.every = every;
  settings.new_file = new_file;
  return settings;
}

// The records of a run, one line each: "step file-name[index]", the name of a file that is open already as a dot.
// is_of_others: each step closes one, of these or of another group's.
inline Strings run(RecordSchedule& schedule, double start_s, double time_step_s, std::int64_t steps,
                   bool is_of_others = false) {
  Strings records;
  for (std::int64_t step = 1; step <= steps; ++step) {
    const Upcoming upcoming = schedule.upcoming();
    const double time_s = start_s + static_cast<double>(step) * time_step_s;
    EXPECT_EQ(schedule.closes(time_s), upcoming.due || is_of_others) << "step " << step;
    if (upcoming.due) {
      EXPECT_EQ(upcoming.record, schedule.closed_records());
      records.push_back(
          fmt::format("{} {}[{}]", step, upcoming.opens_file ? upcoming.file_name : ".", upcoming.index_in_file));
    }
    schedule.advance(time_s);
  }
  return records;
}

inline Strings run(const CollectionSettings& of, const Settings& settings, std::int64_t steps) {
  RecordSchedule schedule(of, settings);
  return run(schedule, 0.0, settings.time_step_s > 0.0 ? settings.time_step_s : 1.0, steps);
}

}  // namespace thalweg::files::sample
