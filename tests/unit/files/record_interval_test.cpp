#include "files/record_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "files/record_schedule.hpp"

namespace thalweg::files {
namespace {

constexpr double hour_s = 3600.0, day_s = 86400.0;

struct Planned {
  config::Settings settings;
  config::CollectionSettings collection;

  explicit Planned(Interval every, double step_s) {
    settings.time_step_s = step_s;
    settings.reference_date = {.year = 2000};
    settings.calendar = Calendar::noleap;
    collection.name = "daily";
    collection.every = every;
    collection.fields.chosen = {{.from = "x"}};
    collection.fields.operation = config::Operation::mean;
  }
  RecordInterval from(double start_s) const {
    RecordInterval interval(collection, settings);
    interval.set_run(start_s, {});
    return interval;
  }
};

// Ends of the first intervals in a unit, each closed by the first step that comes to it.
std::vector<double> ends(const Planned& run, double start_s, int count, double unit_s) {
  RecordInterval interval = run.from(start_s);
  std::vector<double> ends;
  for (double time_s = start_s; std::ssize(ends) < count; time_s += run.settings.time_step_s) {
    if (!interval.ends_by(time_s)) continue;
    ends.push_back(interval.end_s() / unit_s);
    interval.close(interval.end_s());
  }
  return ends;
}

TEST(RecordInterval, ends_at_whole_intervals_after_the_anchor) {
  EXPECT_EQ(ends(Planned({.seconds = 6 * hour_s}, hour_s), 0, 3, hour_s), (std::vector<double>{6, 12, 18}));
  EXPECT_EQ(ends(Planned({.seconds = 6 * hour_s}, hour_s), 4 * hour_s, 2, hour_s), (std::vector<double>{6, 12}));
  EXPECT_EQ(ends(Planned({.months = 1}, day_s), 14 * day_s, 3, day_s), (std::vector<double>{31, 59, 90}));
  EXPECT_EQ(ends(Planned({.months = 12}, day_s), 40 * day_s, 2, day_s), (std::vector<double>{365, 730}));
}

TEST(RecordInterval, of_a_window_begins_and_ends_with_it) {
  Planned run({.seconds = 6 * hour_s}, hour_s);
  run.collection.fields.from = Date{.year = 2000, .hour = 4};
  run.collection.fields.until = Date{.year = 2000, .hour = 13};
  RecordInterval interval = run.from(0.0);
  EXPECT_EQ(interval.begin_s(), 4 * hour_s);
  EXPECT_FALSE(interval.takes(4 * hour_s));
  EXPECT_TRUE(interval.takes(5 * hour_s));
  EXPECT_FALSE(interval.takes(14 * hour_s));
  EXPECT_EQ(ends(run, 0.0, 3, hour_s), (std::vector<double>{6, 12, 13}));
  interval.go_on({.run_start_s = 0.0, .begin_s = 12 * hour_s, .records = 2});
  EXPECT_EQ(interval.end_s(), 13 * hour_s);
  EXPECT_FALSE(interval.is_over());
  interval.close(13 * hour_s);
  EXPECT_TRUE(interval.is_over());
  EXPECT_TRUE(std::isinf(interval.end_s()));
  EXPECT_FALSE(interval.is_skipped_by(40 * hour_s));
  EXPECT_TRUE(run.from(20 * hour_s).is_over());
  run.collection.every = {.is_run = true};
  EXPECT_EQ(ends(run, 0.0, 1, hour_s), (std::vector<double>{13}));
}

TEST(RecordInterval, goes_on_within_an_interval_of_an_earlier_run) {
  Planned run({.seconds = 6 * hour_s}, hour_s);
  run.collection.fields.anchor = config::Anchor::start;
  RecordInterval interval = run.from(9 * hour_s);
  EXPECT_EQ(interval.end_s(), 15 * hour_s);
  interval.go_on({.run_start_s = hour_s, .begin_s = 7 * hour_s, .records = 1});
  EXPECT_EQ(interval.begin_s(), 7 * hour_s);
  EXPECT_EQ(interval.end_s(), 13 * hour_s);
  interval.set_run(9 * hour_s, 11 * hour_s);  // that the run has an end is said later
  EXPECT_EQ(interval.begin_s(), 7 * hour_s);
  EXPECT_EQ(interval.run_start_s(), hour_s);
  interval.close(13 * hour_s);
  EXPECT_EQ(interval.end_s(), 19 * hour_s);
}

TEST(RecordInterval, counts_from_where_it_is_anchored) {
  Planned months({.months = 1}, day_s);
  months.collection.fields.anchor = config::Anchor::start;
  EXPECT_EQ(ends(months, 30 * day_s, 4, day_s), (std::vector<double>{58, 89, 119, 150}));
  months.settings.reference_date = {.year = 2000, .month = 1, .day = 11};
  months.collection.fields.anchor = config::Anchor::calendar;
  EXPECT_EQ(ends(months, 0, 2, day_s), (std::vector<double>{21, 49}));
  months.collection.fields.anchor = config::Anchor::reference;
  EXPECT_EQ(ends(months, 0, 2, day_s), (std::vector<double>{31, 59}));
  Planned hours({.seconds = 6 * hour_s}, hour_s);
  hours.settings.reference_date = {.year = 2000, .hour = 4};
  EXPECT_EQ(ends(hours, 0, 2, hour_s), (std::vector<double>{2, 8}));
}

TEST(RecordInterval, has_steps_that_end_in_it) {
  RecordInterval interval = Planned({.seconds = 6 * hour_s}, 2.5 * hour_s).from(0);
  EXPECT_FALSE(interval.ends_by(5 * hour_s));
  EXPECT_FALSE(interval.is_before(5 * hour_s));
  EXPECT_TRUE(interval.ends_by(7.5 * hour_s));
  EXPECT_TRUE(interval.is_before(7.5 * hour_s));
  EXPECT_FALSE(interval.is_before(6 * hour_s));
  EXPECT_FALSE(interval.is_skipped_by(11.5 * hour_s));
  EXPECT_TRUE(interval.is_skipped_by(12 * hour_s));
}

TEST(RecordInterval, takes_an_edge_that_is_nearly_met) {
  RecordInterval interval = Planned({.seconds = 6 * hour_s}, hour_s).from(0);
  EXPECT_TRUE(interval.ends_by(6 * hour_s - 30));
  EXPECT_FALSE(interval.is_before(6 * hour_s + 30));
  interval.close(6 * hour_s - 30);
  EXPECT_EQ(interval.begin_s(), 6 * hour_s);
  EXPECT_EQ(interval.end_s(), 12 * hour_s);
}

TEST(RecordInterval, of_the_run_ends_with_it) {
  RecordInterval interval = Planned({.is_run = true}, hour_s).from(0);
  EXPECT_TRUE(std::isinf(interval.end_s()));
  interval.set_run(0, 5 * hour_s);
  EXPECT_EQ(interval.end_s(), 5 * hour_s);
}

TEST(RecordInterval, names_files_by_the_date_that_is_chosen) {
  Planned days({.seconds = day_s}, hour_s);
  const auto named = [&] { return days.from(3 * day_s).named_by({100, 7, false}).time_s / day_s; };
  EXPECT_EQ(named(), 3);
  days.collection.fields.file_date = config::FileDate::middle;
  EXPECT_EQ(named(), 3.5);
  days.collection.fields.file_date = config::FileDate::end;
  EXPECT_EQ(named(), 4);
  days.collection.new_file = {.months = 1};
  EXPECT_EQ(named(), 3);
  days.collection.new_file = {.steps = 5};
  EXPECT_EQ(days.from(0).named_by({100, 7, false}).time_s, 100);
}

// Which is opened behind steps.
TEST(RecordSchedule, goes_on_from_where_another_one_has_come) {
  config::Settings settings;
  settings.time_step_s = 1200.0;
  settings.reference_date = {.year = 2000, .month = 1, .day = 1};
  config::CollectionSettings instants = {}, means = {};
  for (config::CollectionSettings* of : {&instants, &means}) {
    of->name = of->file = "a.nc";
    of->every = {.seconds = 6 * hour_s};
    of->fields.chosen = {{.from = "x"}};
  }
  instants.every = {.steps = 7};
  means.fields.operation = config::Operation::mean;
  for (const config::CollectionSettings& of : {instants, means}) {
    RecordSchedule first(of, settings), late(of, settings);
    first.set_run_time(600.0);
    double time_s = 600.0;
    for (int step = 0; step < 4; ++step) first.advance(time_s += 1200.3);
    late.set_run_time(600.0, {}, {}, first.clock().elapsed());
    for (int step = 0; step < 40; ++step) {
      EXPECT_EQ(late.upcoming().due, first.upcoming().due) << step;
      EXPECT_EQ(late.clock().next().time_s, first.clock().next().time_s);
      EXPECT_EQ(late.clock().next().step, first.clock().next().step);
      if (first.interval()) EXPECT_EQ(late.interval()->begin_s(), first.interval()->begin_s());
      time_s += 1200.3;
      for (RecordSchedule* each : {&first, &late}) {
        if (each->interval() && each->interval()->ends_by(time_s)) each->close(each->interval()->end_s());
        each->advance(time_s);
      }
    }
    EXPECT_EQ(late.closed_records(), first.closed_records());
    EXPECT_GT(late.closed_records(), 1);
  }
}

}  // namespace
}  // namespace thalweg::files
