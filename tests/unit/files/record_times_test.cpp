// Records of models whose times are not quite sums of whole steps.
#include "files/record_schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "error_of.hpp"
#include "files/sample_schedule.hpp"

namespace thalweg::files {
namespace {

using namespace sample;

// A float knows no less than two seconds there.
TEST(RecordTimes, meets_the_grid_with_times_of_single_precision) {
  RecordSchedule schedule(collection("h_%j.nc", {.seconds = day}, {.seconds = day}), model(600.0));
  schedule.set_run_time(300 * day);
  Strings files;
  for (int step = 1; step <= 2 * 144; ++step) {
    EXPECT_EQ(schedule.upcoming().due, step % 144 == 0) << "step " << step;
    if (schedule.upcoming().due) files.push_back(schedule.upcoming().file_name);
    schedule.advance(300 * day + 600.0 * step + (step % 2 == 0 ? -2.0 : 2.0));
  }
  EXPECT_EQ(files, (Strings{"h_301.nc", "h_302.nc"}));
  EXPECT_THROW(schedule.closes(302 * day + 640.0), Error);
}

TEST(RecordTimes, takes_times_that_are_summed_up_in_single_precision) {
  for (const float step_s : {450.0F, 7.2F, 1234.5F}) {
    RecordSchedule schedule(collection("h.nc", {.seconds = day}), model(step_s));
    float time_s = 0.0F;
    for (; time_s < 400.0F * static_cast<float>(day) && (step_s > 100.0F || time_s < 1e6F); time_s += step_s) {
      ASSERT_NO_THROW(schedule.closes(time_s + step_s)) << time_s;
      schedule.advance(time_s + step_s);
    }
    EXPECT_NEAR(static_cast<double>(schedule.closed_records()), std::floor(time_s / day), 1.0) << step_s;
  }
}

TEST(RecordTimes, has_each_record_once_where_time_step_is_said_roughly) {
  for (const double said_s : {0.333, 0.3365, 0.3334}) {
    RecordSchedule schedule(collection("history.nc", {.seconds = 1.0}), model(said_s));
    std::int64_t last = 0;
    for (std::int64_t step = 1; step <= 3000; ++step) {
      const double time_s = static_cast<double>(step) / 3.0;
      if (schedule.upcoming().due) {
        EXPECT_LE(std::abs(step - last - 3), 1) << said_s << " step " << step;
        last = step;
      }
      schedule.advance(time_s);
    }
    EXPECT_LE(std::abs(schedule.closed_records() - 1000), 1) << said_s;
  }
}

TEST(RecordTimes, meets_the_grid_although_times_are_sums_of_rounded_steps) {
  RecordSchedule schedule(collection("a.nc", {.seconds = 1.0}), model(0.1));
  double time_s = 0.0;
  Strings at;
  for (int step = 1; step <= 1000; ++step) {
    time_s += 0.1;
    if (schedule.closes(time_s)) at.push_back(std::to_string(step));
    schedule.advance(time_s);
  }
  ASSERT_EQ(at.size(), 100U);
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_EQ(at[i], std::to_string(10 * (i + 1)));
}

}  // namespace
}  // namespace thalweg::files
