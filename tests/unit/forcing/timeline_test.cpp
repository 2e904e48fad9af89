#include "forcing/timeline.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "error_of.hpp"

namespace thalweg::forcing {
namespace {

using config::ForcingSettings;
using config::Interpolation;
using config::Outside;

constexpr double day_s = 86400.0;

ForcingSettings linear() {
  return {.file = "wind.nc"};
}

Timeline timeline(const std::vector<double>& times_s, const ForcingSettings& settings,
                  Calendar calendar = Calendar::noleap) {
  return Timeline(times_s, settings, {.calendar = calendar, .reference = Date{.year = 2000}}, "wind");
}

double at(Calendar calendar, std::int64_t year, int month, int day, int hour = 0) {
  return seconds_between(calendar, Date{.year = 2000}, {.year = year, .month = month, .day = day, .hour = hour});
}

template <typename Action>
void expect_error(thalweg_status code, const Action& action, const char* part) {
  EXPECT_NE(error_of(code, action).find(part), std::string::npos) << error_of(code, action);
}

TEST(Timeline, gives_the_records_around_a_time_and_the_one_that_comes_next) {
  const Timeline of = timeline({0.0, 10.0, 30.0}, linear());
  EXPECT_EQ(of.at(0.0), (Bracket{0, 0, 0.0, 1}));
  EXPECT_EQ(of.at(2.5), (Bracket{0, 1, 0.25, 2}));
  EXPECT_EQ(of.at(10.0), (Bracket{1, 1, 0.0, 2}));
  EXPECT_EQ(of.at(25.0), (Bracket{1, 2, 0.75, std::nullopt}));
  EXPECT_EQ(of.at(30.0), (Bracket{2, 2, 0.0, std::nullopt}));
  EXPECT_EQ(of.at(10.0005), (Bracket{1, 1, 0.0, 2}));  // within the slack of sums of steps
  EXPECT_EQ(of.at(9.9995), (Bracket{1, 1, 0.0, 2}));
}

TEST(Timeline, takes_the_nearest_record_or_the_last_one) {
  ForcingSettings nearest = linear(), step = linear();
  nearest.interpolation = Interpolation::nearest;
  step.interpolation = Interpolation::step;
  EXPECT_EQ(timeline({0.0, 10.0, 30.0}, nearest).at(4.9), (Bracket{0, 0, 0.0, 1}));
  EXPECT_EQ(timeline({0.0, 10.0, 30.0}, nearest).at(5.0), (Bracket{1, 1, 0.0, 2}));
  EXPECT_EQ(timeline({0.0, 10.0, 30.0}, step).at(29.0), (Bracket{1, 1, 0.0, 2}));
}

TEST(Timeline, has_nothing_outside_unless_it_is_held) {
  const Timeline of = timeline({0.0, 10.0}, linear());
  expect_error(THALWEG_ERROR_NAME, [&] { of.at(-1.0); }, "forcing 'wind' has nothing at -1 s");
  expect_error(THALWEG_ERROR_NAME, [&] { of.at(10.1); }, "its last at 10 s");
  expect_error(THALWEG_ERROR_ARGUMENT, [&] { of.at(std::numeric_limits<double>::quiet_NaN()); }, "is no time");
  ForcingSettings held = linear();
  held.outside = Outside::hold;
  const Timeline longer = timeline({0.0, 10.0}, held);
  EXPECT_EQ(longer.at(-5.0), (Bracket{0, 0, 0.0, 1}));
  EXPECT_EQ(longer.at(1e6), (Bracket{1, 1, 0.0, std::nullopt}));
  EXPECT_EQ(timeline({3.0}, held).at(0.0), (Bracket{0, 0, 0.0, std::nullopt}));
}

TEST(Timeline, begins_again_after_a_duration) {
  ForcingSettings settings = linear();
  settings.cycle = {.seconds = 40.0};
  const Timeline of = timeline({0.0, 10.0, 30.0}, settings);
  EXPECT_EQ(of.at(35.0), (Bracket{2, 0, 0.5, 1}));
  EXPECT_EQ(of.at(45.0), (Bracket{0, 1, 0.5, 2}));
  EXPECT_EQ(of.at(-5.0), (Bracket{2, 0, 0.5, 1}));
  EXPECT_EQ(of.at(4000.0 + 2.5), (Bracket{0, 1, 0.25, 2}));
  expect_error(THALWEG_ERROR_FORMAT, [&] { timeline({0.0, 40.0}, settings); }, "do not fit into its cycle");
}

TEST(Timeline, begins_again_every_year_at_the_same_dates) {
  ForcingSettings settings = linear();
  settings.cycle = {.months = 12};
  std::vector<double> months;
  for (int month = 1; month <= 12; ++month) months.push_back(at(Calendar::standard, 1990, month, 16));
  const Timeline of = timeline(months, settings, Calendar::standard);
  // From 16 December to 16 January are 31 days, whatever the year.
  EXPECT_EQ(of.at(at(Calendar::standard, 2003, 12, 31)), (Bracket{11, 0, 15.0 / 31.0, 1}));
  EXPECT_EQ(of.at(at(Calendar::standard, 2004, 1, 1)), (Bracket{11, 0, 16.0 / 31.0, 1}));
  // February has 29 days in 2004 and 28 in 2003.
  EXPECT_EQ(of.at(at(Calendar::standard, 2004, 2, 29)), (Bracket{1, 2, 13.0 / 29.0, 3}));
  EXPECT_EQ(of.at(at(Calendar::standard, 2003, 2, 28)), (Bracket{1, 2, 12.0 / 28.0, 3}));
  EXPECT_EQ(of.at(at(Calendar::standard, 1850, 7, 16)), (Bracket{6, 6, 0.0, 7}));
}

TEST(Timeline, leaves_out_a_date_that_a_year_lacks) {
  ForcingSettings settings = linear();
  settings.cycle = {.months = 12};
  std::vector<double> days;
  for (int day = 0; day < 366; ++day) days.push_back(at(Calendar::standard, 2000, 1, 1) + day * day_s);
  const Timeline of = timeline(days, settings, Calendar::standard);
  EXPECT_EQ(of.at(at(Calendar::standard, 2001, 2, 28, 12)), (Bracket{58, 60, 0.5, 61}));
  EXPECT_EQ(of.at(at(Calendar::standard, 2004, 2, 28, 12)), (Bracket{58, 59, 0.5, 60}));
}

TEST(Timeline, repeats_several_years) {
  ForcingSettings settings = linear();
  settings.cycle = {.months = 24};
  const Timeline of =
      timeline({at(Calendar::noleap, 2000, 7, 1), at(Calendar::noleap, 2001, 7, 1)}, settings, Calendar::noleap);
  EXPECT_EQ(of.at(at(Calendar::noleap, 2002, 7, 1)), (Bracket{0, 0, 0.0, 1}));
  EXPECT_EQ(of.at(at(Calendar::noleap, 1999, 7, 1)), (Bracket{1, 1, 0.0, 0}));
  EXPECT_EQ(of.at(at(Calendar::noleap, 2005, 7, 1)), (Bracket{1, 1, 0.0, 0}));
}

TEST(Timeline, leaves_out_records_that_the_calendar_has_no_date_for) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(timeline({0.0, none, 10.0}, linear()).at(5.0), (Bracket{0, 2, 0.5, std::nullopt}));
  expect_error(THALWEG_ERROR_FORMAT, [&] { timeline({none}, linear()); }, "has no records");
}

TEST(Timeline, holds_the_first_record_that_has_a_date) {
  ForcingSettings held = linear();
  held.outside = Outside::hold;
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(timeline({none, 5.0, 10.0}, held).at(0.0), (Bracket{1, 1, 0.0, 2}));
}

TEST(Timeline, has_nothing_where_the_years_around_lack_all_dates) {
  ForcingSettings settings = linear();
  settings.cycle = {.months = 12};
  settings.outside = Outside::hold;
  const Timeline of = timeline({at(Calendar::standard, 2000, 2, 29)}, settings, Calendar::standard);
  EXPECT_EQ(of.at(at(Calendar::standard, 2004, 2, 29)).lower, 0);
  expect_error(THALWEG_ERROR_NAME, [&] { of.at(at(Calendar::standard, 2002, 6, 1)); }, "has one of its dates");
}

TEST(Timeline, refuses_times_that_do_not_ascend) {
  expect_error(
      THALWEG_ERROR_FORMAT, [&] { timeline({0.0, 10.0, 10.0}, linear()); }, "record 1 is at 10 s, and record 2 at 10");
}

}  // namespace
}  // namespace thalweg::forcing
