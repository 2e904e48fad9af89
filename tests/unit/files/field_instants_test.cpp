// When records of instants are closed, of a collection that chooses fields.
#include <gtest/gtest.h>

#include "files/record_schedule.hpp"
#include "files/sample_schedule.hpp"

namespace thalweg::files {
namespace {

using namespace sample;

CollectionSettings instants(const Interval& every, const std::string& file = "i.nc") {
  CollectionSettings settings = collection(file, every);
  settings.fields.chosen = {{.from = "x"}};
  return settings;
}

TEST(FieldInstants, are_of_the_last_step_up_to_their_time) {
  EXPECT_EQ(run(instants({.seconds = 6 * hour}), model(2.5 * hour), 8), (Strings{"2 i.nc[0]", "4 .[1]", "7 .[2]"}));
  EXPECT_EQ(run(instants({.seconds = 6 * hour}), model(2 * hour), 8), (Strings{"3 i.nc[0]", "6 .[1]"}));
  EXPECT_EQ(run(instants({.seconds = hour}), model(2 * hour), 2), (Strings{"1 i.nc[0]", "2 .[1]"}));
  EXPECT_EQ(run(instants({.months = 1}), model(50 * hour), 44), (Strings{"14 i.nc[0]", "28 .[1]", "43 .[2]"}));
  EXPECT_EQ(run(instants({.steps = 3}), model(2.5 * hour), 8), (Strings{"3 i.nc[0]", "6 .[1]"}));
}

TEST(FieldInstants, are_those_of_a_window) {
  CollectionSettings settings = instants({.seconds = 6 * hour});
  settings.fields.from = date_after({}, model(hour).reference_date, 6 * hour);
  settings.fields.until = date_after({}, model(hour).reference_date, 18 * hour);
  EXPECT_EQ(run(settings, model(hour), 30), (Strings{"12 i.nc[0]", "18 .[1]"}));
  EXPECT_EQ(run(settings, model(2.5 * hour), 12), (Strings{"4 i.nc[0]", "7 .[1]"}));
  RecordClock clock(settings, model(2.5 * hour));
  EXPECT_EQ(clock.next_due().time_s, 10 * hour);
  settings.every = {.steps = 4};
  EXPECT_EQ(RecordClock(settings, model(hour)).next_due().step, 8);
  EXPECT_EQ(run(settings, model(hour), 30), (Strings{"8 i.nc[0]", "12 .[1]", "16 .[2]"}));
}

TEST(FieldInstants, lie_in_the_file_of_the_interval_that_they_end) {
  CollectionSettings settings = instants({.months = 1}, "i_%Y%m.nc");
  settings.new_file = {.months = 1};
  EXPECT_EQ(run(settings, model(50 * hour), 30), (Strings{"14 i_200001.nc[0]", "28 i_200002.nc[0]"}));
}

TEST(FieldInstants, are_met_by_a_step_that_ends_near_their_time) {
  for (const double off_s : {-20.0, 20.0}) {
    RecordSchedule schedule(instants({.seconds = 6 * hour}), model(hour));
    std::vector<double> closed;
    for (int step = 1; step <= 13; ++step) {
      const double time_s = step * hour + off_s;
      if (schedule.closes(time_s)) closed.push_back(time_s - off_s);
      schedule.advance(time_s);
    }
    EXPECT_EQ(closed, (std::vector<double>{6 * hour, 12 * hour}));
  }
}

TEST(FieldInstants, need_no_run_that_comes_to_their_time) {
  RecordSchedule schedule(instants({.seconds = 6 * hour}), model(2.5 * hour));
  schedule.set_run_time(0.0, 11 * hour);
  EXPECT_EQ(run(schedule, 0.0, 2.5 * hour, 4), (Strings{"2 i.nc[0]", "4 .[1]"}));
  EXPECT_FALSE(schedule.closes(11 * hour));
}

}  // namespace
}  // namespace thalweg::files
