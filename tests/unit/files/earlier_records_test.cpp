#include <gtest/gtest.h>

#include "files/sample_schedule.hpp"

namespace thalweg::files {
namespace {

using namespace sample;

// ---- records of earlier runs

// As run(), for the records of a schedule that goes on with a file of so many.
Strings run_on(const CollectionSettings& of, const Settings& settings, double start_s, std::int64_t earlier,
               std::int64_t steps) {
  RecordSchedule schedule(of, settings);
  schedule.set_run_time(start_s);
  schedule.expect_earlier(true);
  Strings records{schedule.upcoming().file_name};
  for (std::int64_t record = 0; record < earlier; ++record) {
    const Upcoming upcoming = schedule.upcoming();
    EXPECT_TRUE(upcoming.due);
    EXPECT_EQ(upcoming.record, record);
    EXPECT_EQ(upcoming.index_in_file, record);
    EXPECT_EQ(upcoming.opens_file, record == 0);
    schedule.close(start_s - 1.0);
  }
  schedule.expect_earlier(false);
  for (const std::string& own : run(schedule, start_s, settings.time_step_s, steps)) records.push_back(own);
  return records;
}

TEST(EarlierRecords, goes_on_with_the_file_that_its_first_record_would_open) {
  const Settings settings = model(10 * minute);
  EXPECT_EQ(run_on(collection("a.nc", {.seconds = hour}), settings, 2 * hour, 2, 12),
            (Strings{"a.nc", "6 .[2]", "12 .[3]"}));
  // The interval that the start lies in; at its end, the next one.
  const CollectionSettings daily = collection("a_%d.nc", {.seconds = 6 * hour}, {.seconds = day});
  EXPECT_EQ(run_on(daily, settings, 12 * hour, 2, 108), (Strings{"a_01.nc", "36 .[2]", "72 .[3]", "108 a_02.nc[0]"}));
  EXPECT_EQ(run_on(daily, settings, day, 0, 36), (Strings{"a_02.nc", "36 a_02.nc[0]"}));
  // By the record's own time.
  EXPECT_EQ(run_on(collection("a_%m.nc", {.months = 1}), model(day), 20 * day, 1, 11), (Strings{"a_02.nc", "11 .[1]"}));
  // Steps are counted from the start of the run.
  EXPECT_EQ(run_on(collection("a.nc", {.steps = 4}), settings, hour, 3, 8), (Strings{"a.nc", "4 .[3]", "8 .[4]"}));
}

TEST(EarlierRecords, finds_the_next_record_far_ahead_of_many_steps) {
  const auto next_due = [](const Interval& every, double time_step_s, double start_s) {
    RecordClock clock(collection("a.nc", every), model(time_step_s));
    clock.set_run(start_s, {});
    RecordClock looking = clock;
    while (!looking.is_due()) looking.advance(looking.next().time_s);
    EXPECT_EQ(clock.next_due().step, looking.next().step);
    EXPECT_NEAR(clock.next_due().time_s, looking.next().time_s, 1e-3);
    return clock.next_due().step;
  };
  EXPECT_EQ(next_due({.months = 12}, 600.0, 0.0), 365 * 144);
  EXPECT_EQ(next_due({.months = 1}, 600.0, 30.5 * day), 72);
  EXPECT_EQ(next_due({.seconds = hour}, 600.0, hour), 6);
  EXPECT_EQ(next_due({.seconds = hour}, 7.0 * minute, 0.0), 9);
  EXPECT_EQ(next_due({.seconds = 10.0}, 600.0, 5.0), 1);
  EXPECT_EQ(next_due({.steps = 5}, 600.0, 1.0), 5);
  EXPECT_EQ(next_due({.seconds = 1.0 / 3.0}, 1.0 / 30.0, 1e6 / 3.0), 10);
}

TEST(EarlierRecords, knows_the_file_that_ends_at_the_start) {
  RecordSchedule schedule(collection("a_%d.nc", {.seconds = 6 * hour}, {.seconds = day}), model(10 * minute));
  schedule.set_run_time(day);
  EXPECT_EQ(schedule.file_before_start(), "a_01.nc");
  schedule.expect_earlier(true);
  EXPECT_EQ(schedule.upcoming().file_name, "a_02.nc");
  RecordSchedule one(collection("a.nc", {.seconds = hour}), model(10 * minute));
  EXPECT_EQ(one.file_before_start(), "");
}

}  // namespace
}  // namespace thalweg::files
