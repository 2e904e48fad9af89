// The values were made with cftime 1.6.6, the reference implementation of the CF calendars.
#include "base/calendar.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "sanitized.hpp"

namespace thalweg {
namespace {

constexpr std::array calendars = {Calendar::standard, Calendar::proleptic_gregorian,
                                  Calendar::julian,   Calendar::noleap,
                                  Calendar::all_leap, Calendar::day360};

struct Known {
  Calendar calendar;
  Date reference;
  std::int64_t seconds;
  const char* date;
  const char* day_of_year;
};

// clang-format off
const Known known_dates[] = {
    {Calendar::standard, {1582, 10, 4, 12, 0, 0}, 86400, "1582-10-15 12:00:00", "288"},
    {Calendar::standard, {1582, 10, 15, 0, 0, 0}, -1, "1582-10-04 23:59:59", "277"},
    {Calendar::standard, {1, 1, 1, 0, 0, 0}, 63113904000, "2000-12-30 00:00:00", "365"},
    {Calendar::standard, {2000, 2, 28, 6, 30, 0}, 86400, "2000-02-29 06:30:00", "060"},
    {Calendar::standard, {1900, 2, 28, 23, 59, 59}, 1, "1900-03-01 00:00:00", "060"},
    {Calendar::standard, {1500, 2, 28, 0, 0, 0}, 86400, "1500-02-29 00:00:00", "060"},
    {Calendar::proleptic_gregorian, {1582, 10, 4, 12, 0, 0}, 86400, "1582-10-05 12:00:00", "278"},
    {Calendar::proleptic_gregorian, {1500, 2, 28, 0, 0, 0}, 86400, "1500-03-01 00:00:00", "060"},
    {Calendar::proleptic_gregorian, {2000, 1, 1, 0, 0, 0}, -62135596800, "0031-01-01 00:00:00", "001"},
    {Calendar::julian, {1900, 2, 28, 23, 59, 59}, 1, "1900-02-29 00:00:00", "060"},
    {Calendar::julian, {2000, 1, 1, 0, 0, 0}, 31557600, "2000-12-31 06:00:00", "366"},
    {Calendar::noleap, {2000, 2, 28, 6, 30, 0}, 86400, "2000-03-01 06:30:00", "060"},
    {Calendar::noleap, {2000, 1, 1, 0, 0, 0}, 7884000000, "2250-01-01 00:00:00", "001"},
    {Calendar::noleap, {1850, 1, 1, 0, 0, 0}, -1, "1849-12-31 23:59:59", "365"},
    {Calendar::all_leap, {1900, 2, 28, 23, 59, 59}, 1, "1900-02-29 00:00:00", "060"},
    {Calendar::all_leap, {1850, 1, 1, 0, 0, 0}, 221356800, "1857-01-01 00:00:00", "001"},
    {Calendar::day360, {2000, 2, 28, 6, 30, 0}, 172800, "2000-02-30 06:30:00", "060"},
    {Calendar::day360, {2000, 1, 1, 0, 0, 0}, 1029023999, "2033-01-30 23:59:59", "030"},
    {Calendar::day360, {1970, 1, 1, 0, 0, 0}, -1, "1969-12-30 23:59:59", "360"},
    {Calendar::standard, {2000, 2, 28, 6, 30, 0}, 45196778828, "3432-05-22 03:17:08", "143"},
    {Calendar::standard, {2000, 2, 28, 6, 30, 0}, 39124081782, "3239-12-14 06:59:42", "348"},
    {Calendar::standard, {1970, 1, 1, 0, 0, 0}, -9245540487, "1677-01-07 10:18:33", "007"},
    {Calendar::standard, {1970, 1, 1, 0, 0, 0}, 56406733446, "3757-06-16 17:04:06", "167"},
    {Calendar::proleptic_gregorian, {1970, 1, 1, 0, 0, 0}, -6655353773, "1759-02-06 10:37:07", "037"},
    {Calendar::proleptic_gregorian, {1850, 1, 1, 0, 0, 0}, 9036808646, "2136-05-13 16:37:26", "134"},
    {Calendar::proleptic_gregorian, {1850, 1, 1, 0, 0, 0}, 41867871013, "3176-09-27 20:10:13", "271"},
    {Calendar::proleptic_gregorian, {1970, 1, 1, 0, 0, 0}, -24516078750, "1193-02-12 02:07:30", "043"},
    {Calendar::julian, {1970, 1, 1, 0, 0, 0}, 24222096180, "2737-07-21 08:03:00", "202"},
    {Calendar::julian, {2000, 2, 28, 6, 30, 0}, 70056823702, "4220-02-16 03:18:22", "047"},
    {Calendar::julian, {1970, 1, 1, 0, 0, 0}, -7269129928, "1739-08-28 13:14:32", "240"},
    {Calendar::julian, {1970, 1, 1, 0, 0, 0}, 80197577348, "4511-04-23 16:49:08", "113"},
    {Calendar::noleap, {1970, 1, 1, 0, 0, 0}, -26969741429, "1114-10-18 05:09:31", "291"},
    {Calendar::noleap, {1850, 1, 1, 0, 0, 0}, 89540022539, "4689-04-18 20:28:59", "108"},
    {Calendar::noleap, {1850, 1, 1, 0, 0, 0}, -28960659931, "0931-08-31 04:14:29", "243"},
    {Calendar::noleap, {2000, 2, 28, 6, 30, 0}, 29994961427, "2951-04-18 04:13:47", "108"},
    {Calendar::all_leap, {1970, 1, 1, 0, 0, 0}, -2147999251, "1902-01-27 21:32:29", "027"},
    {Calendar::all_leap, {1970, 1, 1, 0, 0, 0}, 55366846278, "3720-11-15 23:31:18", "320"},
    {Calendar::all_leap, {2000, 2, 28, 6, 30, 0}, -29389490647, "1070-10-09 03:05:53", "283"},
    {Calendar::all_leap, {1970, 1, 1, 0, 0, 0}, 28958566111, "2885-10-05 14:08:31", "279"},
    {Calendar::day360, {1970, 1, 1, 0, 0, 0}, 25493275420, "2789-08-12 01:23:40", "222"},
    {Calendar::day360, {1970, 1, 1, 0, 0, 0}, -19337367078, "1348-04-18 21:08:42", "108"},
    {Calendar::day360, {1970, 1, 1, 0, 0, 0}, 12504572071, "2372-01-09 20:14:31", "009"},
    {Calendar::day360, {1850, 1, 1, 0, 0, 0}, 9321528442, "2149-09-09 01:27:22", "249"},
};
// clang-format on

TEST(Calendar, dates_after_a_reference_are_those_of_cftime) {
  for (const Known& known : known_dates) {
    const Date date = date_after(known.calendar, known.reference, static_cast<double>(known.seconds));
    EXPECT_EQ(to_string(date), known.date) << name_of(known.calendar) << " " << to_string(known.reference);
  }
}

TEST(Calendar, seconds_between_dates_are_those_of_cftime) {
  for (const Known& known : known_dates) {
    const Date date = date_after(known.calendar, known.reference, static_cast<double>(known.seconds));
    EXPECT_EQ(seconds_between(known.calendar, known.reference, date), static_cast<double>(known.seconds));
    EXPECT_EQ(seconds_between(known.calendar, date, known.reference), -static_cast<double>(known.seconds));
  }
}

TEST(Calendar, day_of_year_is_that_of_cftime) {
  for (const Known& known : known_dates) {
    const Date date = date_after(known.calendar, known.reference, static_cast<double>(known.seconds));
    EXPECT_EQ(fill_template("%j", known.calendar, date), known.day_of_year) << to_string(date);
  }
}

TEST(Calendar, every_day_of_2400_years_follows_the_one_before) {
  for (const Calendar calendar : calendars) {
    Date date{.year = -1, .month = 12, .day = 31};
    if (calendar == Calendar::day360) date.day = 30;
    const Date reference = date;
    for (std::int64_t day = 1; date.year < sanitized::fewer(2400); ++day) {
      const Date next = date_after(calendar, reference, 86400.0 * static_cast<double>(day));
      const bool same_month = next.month == date.month && next.day == date.day + 1;
      const bool next_month = next.day == 1 && date.day == days_in_month(calendar, date.year, date.month) &&
                              next.month == date.month % 12 + 1;
      const bool reform = calendar == Calendar::standard && date == Date{.year = 1582, .month = 10, .day = 4};
      ASSERT_TRUE(same_month || next_month || reform) << name_of(calendar) << " " << to_string(next);
      date = next;
    }
  }
}

TEST(Calendar, names_are_those_of_cf) {
  const std::array names = {"standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"};
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(name_of(calendars[i]), names[i]);
}

TEST(Calendar, february_has_the_days_of_its_calendar) {
  EXPECT_EQ(days_in_month(Calendar::standard, 1900, 2), 28);
  EXPECT_EQ(days_in_month(Calendar::standard, 1500, 2), 29);  // Julian then
  EXPECT_EQ(days_in_month(Calendar::standard, 2000, 2), 29);
  EXPECT_EQ(days_in_month(Calendar::proleptic_gregorian, 1500, 2), 28);
  EXPECT_EQ(days_in_month(Calendar::julian, 1900, 2), 29);
  EXPECT_EQ(days_in_month(Calendar::noleap, 2000, 2), 28);
  EXPECT_EQ(days_in_month(Calendar::all_leap, 2001, 2), 29);
  EXPECT_EQ(days_in_month(Calendar::day360, 2001, 2), 30);
}

TEST(Calendar, other_months_have_their_days) {
  const std::array days = {31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int month = 1; month <= 12; ++month) {
    if (month == 2) continue;
    EXPECT_EQ(days_in_month(Calendar::standard, 2001, month), days[static_cast<std::size_t>(month - 1)]);
    EXPECT_EQ(days_in_month(Calendar::day360, 2001, month), 30);
  }
}

TEST(Calendar, sums_of_steps_that_miss_a_full_hour_by_rounding_are_the_hour) {
  double time_s = 0;
  for (int step = 0; step < 36000; ++step) time_s += 0.1;
  EXPECT_NE(time_s, 3600.0);
  EXPECT_EQ(date_after(Calendar::noleap, {}, time_s), (Date{.hour = 1}));
}

TEST(Calendar, fractions_of_a_second_survive) {
  EXPECT_EQ(date_after(Calendar::standard, {.second = 59.5}, 0.75), (Date{.minute = 1, .second = 0.25}));
  EXPECT_EQ(date_after(Calendar::standard, {}, -0.25),
            (Date{.year = 1999, .month = 12, .day = 31, .hour = 23, .minute = 59, .second = 59.75}));
  EXPECT_EQ(seconds_between(Calendar::standard, {.second = 59.5}, {.minute = 1, .second = 0.25}), 0.75);
}

TEST(Calendar, times_that_are_no_model_time_are_refused) {
  for (const double seconds : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300})
    EXPECT_THROW(date_after(Calendar::standard, {}, seconds), Error) << seconds;
}

TEST(Calendar, months_are_added_across_years_in_both_directions) {
  EXPECT_EQ(add_months(Calendar::standard, {.month = 11, .day = 5}, 3), (Date{.year = 2001, .month = 2, .day = 5}));
  EXPECT_EQ(add_months(Calendar::standard, {.month = 1, .day = 5}, -1), (Date{.year = 1999, .month = 12, .day = 5}));
  EXPECT_EQ(add_months(Calendar::standard, {.month = 12}, -24), (Date{.year = 1998, .month = 12}));
  EXPECT_EQ(add_months(Calendar::standard, {.year = 1}, -24), (Date{.year = -1}));
  EXPECT_EQ(add_months(Calendar::standard, {.hour = 6}, 0), (Date{.hour = 6}));
}

TEST(Calendar, a_day_that_the_month_lacks_becomes_its_last) {
  const Date end_of_january{.month = 1, .day = 31, .hour = 7};
  EXPECT_EQ(add_months(Calendar::standard, end_of_january, 1), (Date{.month = 2, .day = 29, .hour = 7}));
  EXPECT_EQ(add_months(Calendar::noleap, end_of_january, 1), (Date{.month = 2, .day = 28, .hour = 7}));
  EXPECT_EQ(add_months(Calendar::standard, end_of_january, 3), (Date{.month = 4, .day = 30, .hour = 7}));
  EXPECT_EQ(add_months(Calendar::day360, {.month = 1, .day = 30}, 1), (Date{.month = 2, .day = 30}));
}

TEST(Calendar, a_day_that_the_reform_dropped_becomes_the_first_after_it) {
  const Date september{.year = 1582, .month = 9, .day = 10};
  EXPECT_EQ(add_months(Calendar::standard, september, 1), (Date{.year = 1582, .month = 10, .day = 15}));
  EXPECT_EQ(add_months(Calendar::julian, september, 1), (Date{.year = 1582, .month = 10, .day = 10}));
}

TEST(Calendar, model_times_are_dates_of_a_million_years) {
  constexpr double year_s = 365.0 * 86400.0;
  const Date reference{};  // of the year 2000
  for (const double seconds : {0.0, -2000.0 * year_s, 997999.0 * year_s, -1001998.0 * year_s})
    EXPECT_TRUE(is_model_time(Calendar::noleap, reference, seconds)) << seconds;
  for (const double seconds : {998001.0 * year_s, -1002000.0 * year_s, 1e15, 1e300, -1e300,
                               std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(is_model_time(Calendar::noleap, reference, seconds)) << seconds;
}

TEST(Calendar, dates_are_written_as_cf_units_want_them) {
  EXPECT_EQ(to_string(Date{}), "2000-01-01 00:00:00");
  EXPECT_EQ(to_string({.year = 1, .month = 12, .day = 31, .hour = 23, .minute = 59, .second = 59}),
            "0001-12-31 23:59:59");
  EXPECT_EQ(to_string({.second = 1.5}), "2000-01-01 00:00:01.5");
  EXPECT_EQ(to_string({.second = 0.9999999}), "2000-01-01 00:00:01");
  EXPECT_EQ(to_string({.second = 59.9999999}), "2000-01-01 00:00:59.999999");
}

TEST(Calendar, templates_are_filled_with_every_part_of_the_date) {
  const Date date{.year = 850, .month = 3, .day = 1, .hour = 4, .minute = 5, .second = 6};
  EXPECT_EQ(fill_template("%Y-%m-%d_%H%M%S", Calendar::noleap, date), "0850-03-01_040506");
  EXPECT_EQ(fill_template("%j", Calendar::noleap, date), "060");
  EXPECT_EQ(fill_template("%j", Calendar::all_leap, date), "061");
  EXPECT_EQ(fill_template("%Y%j.nc", Calendar::day360, {.year = 12345, .month = 12, .day = 30}), "12345360.nc");
  EXPECT_EQ(fill_template("100%%.nc", Calendar::noleap, date), "100%.nc");
  EXPECT_EQ(fill_template("plain.nc", Calendar::noleap, date), "plain.nc");
  EXPECT_EQ(fill_template("", Calendar::noleap, date), "");
}

TEST(Calendar, a_template_may_have_the_name_of_a_variable) {
  EXPECT_EQ(fill_template("%v_%Y.nc", Calendar::standard, {.year = 2000}), "%v_2000.nc");
  EXPECT_EQ(with_variable("%v/%%v_%v_%Y.nc", "a%b"), "a%%b/%%v_a%%b_%Y.nc");
  EXPECT_TRUE(has_variable_part("%v.nc") && !has_variable_part("%%v.nc") && !is_template("%v%n.nc"));
}

std::string fault_of_template(const char* pattern) {
  try {
    fill_template(pattern, Calendar::standard, {});
  } catch (const Error& fault) {
    EXPECT_EQ(fault.code(), THALWEG_ERROR_CONFIG);
    return fault.what();
  }
  return "none";
}

TEST(Calendar, unknown_parts_of_a_template_are_named) {
  EXPECT_EQ(fault_of_template("a_%y.nc"),
            "'%y' in the file name 'a_%y.nc' is none of %Y, %m, %d, %H, %M, %S, %j, %n, %v, %%");
  EXPECT_EQ(fault_of_template("a_%"), "'%' in the file name 'a_%' is none of %Y, %m, %d, %H, %M, %S, %j, %n, %v, %%");
}

}  // namespace
}  // namespace thalweg
