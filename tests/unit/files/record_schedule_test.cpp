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

TEST(RecordSchedule, ends_a_file_with_its_record_where_each_has_one) {
  CollectionSettings settings = collection("a_%H.nc", {.seconds = 6 * hour});
  settings.one_record = true;
  RecordSchedule schedule(settings, model(hour));
  EXPECT_EQ(run(schedule, 0.0, hour, 12), (Strings{"6 a_06.nc[0]", "12 a_12.nc[0]"}));
  EXPECT_EQ(schedule.closed_files(), 2);
  EXPECT_EQ(schedule.file_count(), 2);
}

TEST(RecordSchedule, writes_files_in_turn) {
  CollectionSettings settings = collection("restart.%n.nc", {.steps = 2});
  settings.cycle = 2;
  RecordSchedule schedule(settings, model(0.0));
  EXPECT_EQ(run(schedule, 0.0, hour, 8),
            (Strings{"2 restart.1.nc[0]", "4 restart.2.nc[0]", "6 restart.1.nc[0]", "8 restart.2.nc[0]"}));
  EXPECT_EQ(schedule.closed_files(), 4);
}

// ---- when

TEST(RecordSchedule, closes_the_record_of_the_end_with_the_last_step) {
  RecordSchedule schedule(collection("restart.nc", {.is_run = true}), model(hour));
  schedule.set_run_time(0.0, 3 * hour);
  EXPECT_EQ(run(schedule, 0.0, hour, 3), Strings{"3 restart.nc[0]"});
}

TEST(RecordSchedule, takes_the_whole_step_that_comes_near_the_end_for_the_last_one) {
  for (const double behind_s : {-0.5, 0.5}) {
    RecordSchedule schedule(collection("restart.nc", {.is_run = true}), model(100.0));
    schedule.set_run_time(0.0, 200.0 + behind_s);
    schedule.advance(100.0);
    EXPECT_TRUE(schedule.upcoming().due);
    schedule.advance(200.0 + behind_s);
    EXPECT_EQ(schedule.closed_records(), 1);
  }
}

TEST(RecordSchedule, asks_for_the_end_of_the_run_where_a_record_waits_for_it) {
  const RecordSchedule schedule(collection("restart.nc", {.is_run = true}), model(hour));
  const std::string text = error_of(THALWEG_ERROR_STATE, [&] { schedule.closes(hour); });
  EXPECT_NE(text.find("'every: end'"), std::string::npos) << text;
}

TEST(RecordSchedule, takes_a_last_step_that_is_shorter) {
  RecordSchedule at_end(collection("restart_%H%M.nc", {.is_run = true}), model(hour));
  RecordSchedule history(collection("history.nc", {.seconds = 1800}), model(hour));
  for (RecordSchedule* schedule : {&at_end, &history}) {
    schedule->set_run_time(0.0, 2.5 * hour);
    for (const double time_s : {hour, 2 * hour}) schedule->advance(time_s);
    EXPECT_TRUE(schedule->upcoming().due);
    EXPECT_THROW(schedule->closes(3 * hour), Error);
    EXPECT_TRUE(schedule->closes(2.5 * hour));
    schedule->advance(2.5 * hour);
  }
  EXPECT_EQ(at_end.file_name(), "restart_0230.nc");
  EXPECT_EQ(history.closed_records(), 3);
}

TEST(RecordSchedule, leaves_records_on_demand_to_the_program) {
  RecordSchedule schedule(collection("restart.nc", {}), model(0.0));
  for (int step = 1; step <= 3; ++step) {
    EXPECT_TRUE(schedule.upcoming().due);
    EXPECT_FALSE(schedule.closes(minute * step));
    schedule.advance(minute * step);
  }
  EXPECT_EQ(schedule.closed_records(), 0);
  schedule.require_record_at(100.0);  // whatever the clock says
  schedule.close(100.0);
  EXPECT_EQ(schedule.closed_records(), 1);
  EXPECT_EQ(schedule.file_name(), "restart.nc");
  EXPECT_EQ(schedule.upcoming().record, 1);
  EXPECT_FALSE(schedule.upcoming().opens_file);
  EXPECT_EQ(error_of(THALWEG_ERROR_STATE, [&] { schedule.require_record_at(100.0); }),
            "collection 'history': a record at 100 s, but its last one is of 100 s; time must grow");
  schedule.set_next_file("restart_2.nc");
  EXPECT_TRUE(schedule.upcoming().opens_file);
  schedule.close(101.0);
  EXPECT_EQ(schedule.file_name(), "restart_2.nc");
  EXPECT_EQ(schedule.file_count(), 2);
}

TEST(RecordSchedule, closes_no_record_of_an_interval_for_the_program) {
  const RecordSchedule schedule(collection("history.nc", {.steps = 1}), model(minute));
  EXPECT_EQ(
      error_of(THALWEG_ERROR_STATE, [&] { schedule.require_record_at(60.0); }),
      "collection 'history': its records are closed by `advance`, because it has an 'every'; set 'every: on-demand' "
      "for records that the program closes");
}

TEST(RecordSchedule, has_a_record_every_so_many_steps) {
  EXPECT_EQ(run(collection("a.nc", {.steps = 1}), model(0), 3), (Strings{"1 a.nc[0]", "2 .[1]", "3 .[2]"}));
  EXPECT_EQ(run(collection("a.nc", {.steps = 3}), model(0), 8), (Strings{"3 a.nc[0]", "6 .[1]"}));
}

TEST(RecordSchedule, counts_steps_from_the_start_of_the_run) {
  RecordSchedule schedule(collection("a.nc", {.steps = 3}), model(hour));
  schedule.set_run_time(100 * hour);
  EXPECT_EQ(run(schedule, 100 * hour, hour, 7), (Strings{"3 a.nc[0]", "6 .[1]"}));
}

TEST(RecordSchedule, needs_no_time_for_steps_and_takes_any) {
  RecordSchedule schedule(collection("a.nc", {.steps = 2}), model(0));
  for (const double time_s : {5.0, 5.5, 1000.0}) schedule.advance(time_s);
  EXPECT_EQ(schedule.closed_records(), 1);
  EXPECT_TRUE(schedule.upcoming().due);
}

TEST(RecordSchedule, has_a_record_at_every_whole_interval_of_time) {
  EXPECT_EQ(run(collection("a.nc", {.seconds = 6 * hour}), model(2 * hour), 7), (Strings{"3 a.nc[0]", "6 .[1]"}));
}

TEST(RecordSchedule, has_a_record_at_the_first_step_past_a_point_that_no_step_meets) {
  // Steps of 40 min: hours are passed at 80, 120 (met), 200, 240 (met) minutes.
  EXPECT_EQ(run(collection("a.nc", {.seconds = hour}), model(40 * minute), 6),
            (Strings{"2 a.nc[0]", "3 .[1]", "5 .[2]", "6 .[3]"}));
}

TEST(RecordSchedule, has_one_record_a_step_where_the_interval_is_shorter) {
  EXPECT_EQ(run(collection("a.nc", {.seconds = minute}), model(hour), 2), (Strings{"1 a.nc[0]", "2 .[1]"}));
}

TEST(RecordSchedule, follows_the_months_of_the_calendar) {
  // 2000 is a leap year of the standard calendar; noleap has no 29 February.
  EXPECT_EQ(run(collection("a.nc", {.months = 1}), model(day, Calendar::noleap), 91),
            (Strings{"31 a.nc[0]", "59 .[1]", "90 .[2]"}));
  EXPECT_EQ(run(collection("a.nc", {.months = 1}), model(day, Calendar::standard), 91),
            (Strings{"31 a.nc[0]", "60 .[1]", "91 .[2]"}));
  EXPECT_EQ(run(collection("a.nc", {.months = 3}), model(day, Calendar::day360), 180),
            (Strings{"90 a.nc[0]", "180 .[1]"}));
}

TEST(RecordSchedule, counts_months_from_a_reference_date_within_a_month) {
  Settings settings = model(day);
  settings.reference_date = {.year = 2001, .month = 1, .day = 31};
  // The 31st of every month; the last day where there is none: 28 February, 31 March, 30 April.
  EXPECT_EQ(run(collection("a.nc", {.months = 1}), settings, 90), (Strings{"28 a.nc[0]", "59 .[1]", "89 .[2]"}));
}

TEST(RecordSchedule, stays_on_the_grid_of_the_reference_date_when_the_run_starts_later) {
  RecordSchedule schedule(collection("a.nc", {.seconds = 6 * hour}), model(2 * hour));
  schedule.set_run_time(10 * hour);
  EXPECT_EQ(run(schedule, 10 * hour, 2 * hour, 5), (Strings{"1 a.nc[0]", "4 .[1]"}));
}

TEST(RecordSchedule, stays_on_the_grid_when_the_run_starts_before_the_reference_date) {
  RecordSchedule schedule(collection("a.nc", {.seconds = 6 * hour}), model(2 * hour));
  schedule.set_run_time(-8 * hour);
  EXPECT_EQ(run(schedule, -8 * hour, 2 * hour, 5), (Strings{"1 a.nc[0]", "4 .[1]"}));
  RecordSchedule monthly(collection("m.nc", {.months = 1}), model(day));
  monthly.set_run_time(-40 * day);
  EXPECT_EQ(run(monthly, -40 * day, day, 41), (Strings{"9 m.nc[0]", "40 .[1]"}));
}

TEST(RecordSchedule, starts_with_a_record_at_the_start_itself_if_asked) {
  CollectionSettings settings = collection("a.nc", {.seconds = 6 * hour});
  settings.initial_record = true;
  RecordSchedule schedule(settings, model(2 * hour));
  schedule.set_run_time(12 * hour);
  EXPECT_TRUE(schedule.closes(12 * hour));
  schedule.advance(12 * hour);
  EXPECT_EQ(schedule.closed_records(), 1);
  EXPECT_EQ(run(schedule, 12 * hour, 2 * hour, 6), (Strings{"3 .[1]", "6 .[2]"}));
}

TEST(RecordSchedule, takes_no_record_at_the_start_unless_asked) {
  RecordSchedule schedule(collection("a.nc", {.steps = 2}), model(0));
  EXPECT_FALSE(schedule.closes(0.0));
  schedule.advance(0.0);
  EXPECT_EQ(run(schedule, 0.0, 1.0, 3), (Strings{"2 a.nc[0]"}));
}

TEST(RecordSchedule, takes_nothing_before_an_advance_that_stands_still_for_others) {
  RecordSchedule schedule(collection("a.nc", {.steps = 1}), model(0));
  EXPECT_TRUE(schedule.upcoming().due);
  schedule.hold_for_start(true);
  EXPECT_FALSE(schedule.upcoming().due);
  schedule.advance(0.0);
  EXPECT_EQ(run(schedule, 0.0, 1.0, 2), (Strings{"1 a.nc[0]", "2 .[1]"}));
  CollectionSettings settings = collection("a.nc", {.steps = 1});
  settings.initial_record = true;
  RecordSchedule initial(settings, model(0));
  initial.hold_for_start(true);
  EXPECT_TRUE(initial.upcoming().due);
}

TEST(RecordSchedule, knows_the_file_of_its_last_record) {
  RecordSchedule schedule(collection("h_%H.nc", {.steps = 1}, {.steps = 2}), model(hour));
  EXPECT_EQ(schedule.file_name(), "h_00.nc");
  run(schedule, 0.0, hour, 2);
  EXPECT_EQ(schedule.file_name(), "h_00.nc");
  run(schedule, 2 * hour, hour, 1);
  EXPECT_EQ(schedule.file_name(), "h_02.nc");
}

// ---- in which file

TEST(RecordSchedule, names_a_file_by_the_begin_of_the_interval_that_ends_with_its_last_record) {
  EXPECT_EQ(
      run(collection("h_%Y-%m.nc", {.seconds = 15 * day}, {.months = 1}), model(day), 92),
      (Strings{"15 h_2000-01.nc[0]", "30 .[1]", "45 h_2000-02.nc[0]", "60 h_2000-03.nc[0]", "75 .[1]", "90 .[2]"}));
  EXPECT_EQ(run(collection("h_%d-%H.nc", {.seconds = 6 * hour}, {.seconds = 12 * hour}), model(6 * hour), 5),
            (Strings{"1 h_01-00.nc[0]", "2 .[1]", "3 h_01-12.nc[0]", "4 .[1]", "5 h_02-00.nc[0]"}));
}

TEST(RecordSchedule, puts_the_record_at_midnight_of_new_year_into_the_old_year) {
  EXPECT_EQ(run(collection("h_%Y.nc", {.months = 6}, {.months = 12}), model(day), 730),
            (Strings{"181 h_2000.nc[0]", "365 .[1]", "546 h_2001.nc[0]", "730 .[1]"}));
}

TEST(RecordSchedule, begins_a_file_every_so_many_steps) {
  EXPECT_EQ(run(collection("h_%H.nc", {.steps = 1}, {.steps = 3}), model(hour), 7),
            (Strings{"1 h_00.nc[0]", "2 .[1]", "3 .[2]", "4 h_03.nc[0]", "5 .[1]", "6 .[2]", "7 h_06.nc[0]"}));
}

TEST(RecordSchedule, begins_a_file_when_the_name_from_the_record_s_own_time_changes) {
  EXPECT_EQ(run(collection("r_%Y%m%d.nc", {.months = 1}), model(day), 60),
            (Strings{"31 r_20000201.nc[0]", "59 r_20000301.nc[0]"}));
  EXPECT_EQ(run(collection("r_%d.nc", {.seconds = 12 * hour}), model(12 * hour), 4),
            (Strings{"1 r_01.nc[0]", "2 r_02.nc[0]", "3 .[1]", "4 r_03.nc[0]"}));
}

TEST(RecordSchedule, names_the_first_file_of_a_later_start_by_its_interval) {
  RecordSchedule schedule(collection("h_%Y-%m.nc", {.seconds = day}, {.months = 1}), model(day));
  schedule.set_run_time(57 * day);  // 27 February
  EXPECT_EQ(run(schedule, 57 * day, day, 4), (Strings{"1 h_2000-02.nc[0]", "2 .[1]", "3 h_2000-03.nc[0]", "4 .[1]"}));
}

TEST(RecordSchedule, names_the_file_of_the_initial_record_by_the_start_where_steps_make_files) {
  CollectionSettings settings = collection("h_%Y%m%d-%H.nc", {.steps = 1}, {.steps = 2});
  settings.initial_record = true;
  const RecordSchedule schedule(settings, model(hour));
  EXPECT_EQ(schedule.upcoming().file_name, "h_20000101-00.nc");
}

TEST(RecordSchedule, counts_files_and_at_least_one) {
  RecordSchedule schedule(collection("h_%d.nc", {.seconds = day}, {.seconds = day}), model(day));
  EXPECT_EQ(schedule.file_count(), 1);
  run(schedule, 0.0, day, 3);
  EXPECT_EQ(schedule.file_count(), 3);
}

// ---- files named by the program

TEST(RecordSchedule, opens_the_files_that_the_program_names) {
  RecordSchedule schedule(collection("unused.nc", {.steps = 1}), model(0));
  schedule.set_next_file("first.nc");
  EXPECT_EQ(run(schedule, 0.0, 1.0, 2), (Strings{"1 first.nc[0]", "2 .[1]"}));
  schedule.set_next_file("second.nc");
  EXPECT_EQ(schedule.upcoming().file, 1);
  schedule.advance(3.0);
  EXPECT_FALSE(schedule.upcoming().opens_file);
  EXPECT_EQ(schedule.upcoming().index_in_file, 1);
  EXPECT_EQ(schedule.upcoming().record, 3);
  EXPECT_EQ(schedule.file_count(), 2);
}

TEST(RecordSchedule, keeps_the_program_s_name_until_a_record_is_due) {
  RecordSchedule schedule(collection("unused.nc", {.steps = 3}), model(0));
  schedule.set_next_file("first.nc");
  EXPECT_EQ(run(schedule, 0.0, 1.0, 4), (Strings{"3 first.nc[0]"}));
  schedule.set_next_file("second.nc");
  EXPECT_EQ(run(schedule, 4.0, 1.0, 3), (Strings{"2 second.nc[0]"}));
}

TEST(RecordSchedule, goes_over_from_configured_names_to_the_program_s) {
  RecordSchedule schedule(collection("configured.nc", {.steps = 1}), model(0));
  EXPECT_EQ(run(schedule, 0.0, 1.0, 1), (Strings{"1 configured.nc[0]"}));
  schedule.set_next_file("own.nc");
  EXPECT_EQ(run(schedule, 1.0, 1.0, 2), (Strings{"1 own.nc[0]", "2 .[1]"}));
}

// ---- files that the program closes

TEST(RecordSchedule, opens_the_next_file_behind_one_that_is_closed) {
  RecordSchedule schedule(collection("configured.nc", {.steps = 1}), model(0));
  EXPECT_EQ(run(schedule, 0.0, 1.0, 2), (Strings{"1 configured.nc[0]", "2 .[1]"}));
  EXPECT_EQ(schedule.closed_files(), 0);
  EXPECT_FALSE(schedule.ending().opens_file);
  schedule.close_file();
  EXPECT_EQ(schedule.closed_files(), 1);
  schedule.set_next_file("own.nc");
  EXPECT_EQ(run(schedule, 2.0, 1.0, 2), (Strings{"1 own.nc[0]", "2 .[1]"}));
  EXPECT_EQ(schedule.file_count(), 2);
}

TEST(RecordSchedule, has_files_without_records) {
  RecordSchedule schedule(collection("first.nc", {.steps = 1}), model(0));
  EXPECT_TRUE(schedule.ending().opens_file);
  EXPECT_EQ(schedule.ending().file_name, "first.nc");
  schedule.close_file();
  schedule.set_next_file("second.nc");
  EXPECT_EQ(schedule.ending().file, 1);
  schedule.close_file();
  EXPECT_EQ(schedule.file_count(), 2);
  EXPECT_EQ(schedule.file_name(), "second.nc");
  schedule.set_next_file("third.nc");
  EXPECT_EQ(run(schedule, 0.0, 1.0, 1), (Strings{"1 third.nc[0]"}));
  EXPECT_EQ(schedule.closed_files(), 2);
}

TEST(RecordSchedule, has_no_file_to_close_where_none_has_a_name) {
  RecordSchedule dated(collection("a_%Y.nc", {.steps = 1}), model(60));
  EXPECT_NE(error_of(THALWEG_ERROR_STATE, [&] { dated.ending(); }).find("one without records has no name"),
            std::string::npos);
  RecordSchedule named(collection("a.nc", {.steps = 1}), model(0));
  named.set_next_file("own.nc");
  named.close_file();
  EXPECT_NE(error_of(THALWEG_ERROR_STATE, [&] { named.ending(); }).find("'own.nc' is closed already"),
            std::string::npos);
}

// ---- what is refused

TEST(RecordSchedule, asks_for_the_time_step_where_model_time_matters) {
  for (CollectionSettings settings :
       {collection("a.nc", {.seconds = hour}), collection("a.nc", {.steps = 1}, {.months = 1}),
        collection("a_%Y.nc", {.steps = 1})}) {
    settings.place = "ocean.yaml:12:3";
    const std::string text = error_of(THALWEG_ERROR_CONFIG, [&] { RecordSchedule(settings, model(0)); });
    EXPECT_TRUE(text.starts_with("ocean.yaml:12:3: collection 'history'")) << text;
    EXPECT_NE(text.find("time-step: 10 min"), std::string::npos) << text;
  }
}

TEST(RecordSchedule, refuses_a_step_of_time_that_was_not_said) {
  RecordSchedule schedule(collection("a.nc", {.seconds = hour}), model(10 * minute));
  schedule.advance(10 * minute);
  const std::string text = error_of(THALWEG_ERROR_STATE, [&] { schedule.closes(25 * minute); });
  for (const char* part : {"'history'", "from 600 s to 1500 s", "'time-step' is 600 s", "thalweg_set_time"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
  EXPECT_EQ(text.find("precision"), std::string::npos) << text;
  EXPECT_NO_THROW(schedule.closes(20 * minute));
}

TEST(RecordSchedule, tells_of_times_that_single_precision_has_rounded) {
  RecordSchedule schedule(collection("a.nc", {.seconds = hour}), model(20 * minute));
  schedule.set_run_time(9.0e8);
  const auto text_at = [&](double time_s) { return error_of(THALWEG_ERROR_STATE, [&] { schedule.closes(time_s); }); };
  const std::string text = text_at(static_cast<float>(9.0e8F + 1200.0F));
  for (const char* part : {"to 900001216 s", "'time-step' is 1200 s", "rounded to single precision", "steps of 64 s",
                           "double precision", "'reference-date' nearer"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
  EXPECT_EQ(text.find("thalweg_set_time"), std::string::npos) << text;
  EXPECT_NE(text_at(9.0e8 + 1217.0).find("thalweg_set_time"), std::string::npos);  // no number in single precision
  EXPECT_NE(text_at(9.0e8 + 1280.0).find("thalweg_set_time"), std::string::npos);  // further off than rounding is
}

TEST(RecordSchedule, wants_the_first_advance_at_the_start_for_an_initial_record) {
  CollectionSettings settings = collection("a.nc", {.steps = 1});
  settings.initial_record = true;
  const RecordSchedule schedule(settings, model(0));
  const std::string text = error_of(THALWEG_ERROR_STATE, [&] { schedule.closes(60.0); });
  EXPECT_NE(text.find("first advance must be at the start time 0 s, not 60 s"), std::string::npos) << text;
}

}  // namespace
}  // namespace thalweg::files
