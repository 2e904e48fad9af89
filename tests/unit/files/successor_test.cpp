// A schedule that takes the records of another one from some file on.

#include <gtest/gtest.h>

#include "files/record_schedule.hpp"
#include "files/sample_schedule.hpp"

namespace thalweg::files {
namespace {

using namespace sample;

// As run(), but from each file on that begins behind `step` another one has the records.
Strings run_with_successor(const CollectionSettings& of, const Settings& settings, std::int64_t step,
                           std::int64_t steps) {
  RecordSchedule earlier(of, settings), successor(of, settings);
  Strings records = run(earlier, 0.0, settings.time_step_s, step);
  std::int64_t at = step;
  while (!(earlier.upcoming().due && earlier.upcoming().opens_file) && at < steps)
    for (std::string& own : run(earlier, static_cast<double>(at++) * settings.time_step_s, settings.time_step_s, 1))
      records.push_back(std::to_string(at) + own.substr(own.find(' ')));
  successor.succeed(earlier);
  EXPECT_EQ(successor.file_count(), 0);
  EXPECT_EQ(successor.upcoming().record, 0);
  earlier.end();
  EXPECT_FALSE(earlier.upcoming().due);
  for (; at < steps; ++at) {
    const double now_s = static_cast<double>(at) * settings.time_step_s;
    EXPECT_FALSE(earlier.closes(now_s + settings.time_step_s));
    for (std::string& own : run(successor, now_s, settings.time_step_s, 1))
      records.push_back(std::to_string(at + 1) + own.substr(own.find(' ')));
  }
  return records;
}

TEST(Successor, has_the_records_that_the_earlier_one_would_have_had) {
  const Settings settings = model(10 * minute);
  const CollectionSettings daily = collection("a_%d.nc", {.seconds = 6 * hour}, {.seconds = day});
  const CollectionSettings dated = collection("a_%m.nc", {.seconds = day});
  const CollectionSettings of_steps = collection("a_%H.nc", {.steps = 4}, {.steps = 12});
  for (const CollectionSettings& of : {daily, dated, of_steps})
    for (const std::int64_t step : {0, 1, 40, 143, 144, 145, 300})
      EXPECT_EQ(run_with_successor(of, settings, step, 600), run(of, settings, 600)) << of.file << " " << step;
}

TEST(Successor, goes_on_with_the_names_of_a_cycle) {
  CollectionSettings of = collection("a.%n.nc", {.steps = 2});
  of.cycle = 3;
  for (const std::int64_t step : {1, 2, 3, 4, 7})
    EXPECT_EQ(run_with_successor(of, model(minute), step, 20), run(of, model(minute), 20)) << step;
}

TEST(Successor, has_the_interval_and_the_times_of_the_earlier_one) {
  CollectionSettings of = collection("a_%d.nc", {.seconds = 5 * hour}, {.seconds = day});
  of.fields.chosen = {{.from = "x"}};
  of.fields.operation = config::Operation::mean;
  ASSERT_TRUE(of.has_records_by_call());
  RecordSchedule earlier(of, model(hour)), successor(of, model(hour));
  earlier.set_run_time(3 * hour);
  for (double time_s = 4 * hour; time_s <= 25 * hour; time_s += hour) {
    if (earlier.interval()->ends_by(time_s)) earlier.close(earlier.interval()->end_s());
    earlier.advance(time_s);
  }
  ASSERT_TRUE(earlier.upcoming().opens_file);
  successor.succeed(earlier);
  EXPECT_EQ(successor.interval()->begin_s(), 25 * hour);
  EXPECT_EQ(successor.interval()->run_start_s(), 3 * hour);
  EXPECT_EQ(successor.upcoming().file_name, "a_02.nc");
  successor.advance(26 * hour);
  successor.close(30 * hour);
  EXPECT_EQ(successor.file_count(), 1);
}

TEST(Successor, is_as_late_as_time_has_come) {
  CollectionSettings of = collection("a_%d.nc", {.seconds = 5 * hour}, {.seconds = day});
  of.fields.chosen = {{.from = "x"}};
  of.fields.operation = config::Operation::mean;
  RecordSchedule late(of, model(hour));
  late.set_run_time(0.0, {}, {}, RecordClock::Elapsed{0.0, 12 * hour, 12 * hour, 12});
  EXPECT_EQ(late.interval()->begin_s(), 10 * hour);
  late.advance(13 * hour);
  EXPECT_EQ(late.interval()->end_s(), 15 * hour);
}

}  // namespace
}  // namespace thalweg::files
