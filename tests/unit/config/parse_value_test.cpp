#include "config/parse_value.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace thalweg::config {
namespace {

std::string fault_of(const std::function<void()>& parse) {
  try {
    parse();
  } catch (const BadValue& fault) {
    return fault.what();
  }
  return "none";
}

std::string fault_of_bytes(const std::string& text) {
  return fault_of([&] { parse_bytes(text, 1024); });
}
std::string fault_of_duration(const std::string& text) {
  return fault_of([&] { parse_duration(text); });
}
std::string fault_of_interval(const std::string& text) {
  return fault_of([&] { parse_interval(text); });
}
std::string fault_of_date(const std::string& text) {
  return fault_of([&] { parse_date(text); });
}

TEST(ConfigBytes, have_decimal_and_binary_units) {
  EXPECT_EQ(parse_bytes("2 GiB", 0), std::int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("512 MiB", 0), 512 << 20);
  EXPECT_EQ(parse_bytes("1 TiB", 0), std::int64_t{1} << 40);
  EXPECT_EQ(parse_bytes("8KiB", 0), 8192);
  EXPECT_EQ(parse_bytes("100 kB", 0), 100000);
  EXPECT_EQ(parse_bytes("3 MB", 0), 3000000);
  EXPECT_EQ(parse_bytes("3 GB", 0), 3000000000);
  EXPECT_EQ(parse_bytes("1 TB", 0), 1000000000000);
  EXPECT_EQ(parse_bytes("7 B", 0), 7);
}

TEST(ConfigBytes, may_be_a_plain_number_or_a_fraction_of_a_unit) {
  EXPECT_EQ(parse_bytes("4096", 0), 4096);
  EXPECT_EQ(parse_bytes("0", 0), 0);
  EXPECT_EQ(parse_bytes("1.5 KiB", 0), 1536);
}

TEST(ConfigBytes, are_shown_in_the_largest_unit_that_divides_them) {
  EXPECT_EQ(format_bytes(std::int64_t{2} << 30), "2 GiB");
  EXPECT_EQ(format_bytes(1536), "1536 B");
  EXPECT_EQ(format_bytes(8192), "8 KiB");
  EXPECT_EQ(format_bytes(100000), "100 kB");
  EXPECT_EQ(format_bytes(0), "0 B");
}

TEST(ConfigBytes, faults_say_what_is_allowed) {
  EXPECT_EQ(fault_of_bytes("2 XB"),
            "'XB' in '2 XB' is no unit of bytes; allowed are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
  EXPECT_EQ(fault_of_bytes("much"), "'much' is no number of bytes, such as '512 MiB'");
  EXPECT_EQ(fault_of_bytes("100"), "'100' must be at least 1 KiB");
  EXPECT_EQ(fault_of_bytes("-4 GiB"), "'-4 GiB' must be at least 1 KiB");
  EXPECT_EQ(fault_of_bytes("9e9 GiB"), "'9e9 GiB' is too large");
  EXPECT_EQ(fault_of_bytes("1e999 GiB"), "'1e999 GiB' does not begin with a usable number");
  EXPECT_EQ(fault_of_bytes(""), "'' does not begin with a usable number");
}

TEST(ConfigDuration, has_units_in_long_and_short) {
  EXPECT_EQ(parse_duration("5 min"), 300.0);
  EXPECT_EQ(parse_duration("90 s"), 90.0);
  EXPECT_EQ(parse_duration("2h"), 7200.0);
  EXPECT_EQ(parse_duration("2 days"), 172800.0);
  EXPECT_EQ(parse_duration("250 ms"), 0.25);
  EXPECT_EQ(parse_duration("1.5 hours"), 5400.0);
}

TEST(ConfigDuration, is_shown_in_the_largest_unit_that_divides_it) {
  EXPECT_EQ(format_duration(300), "5 min");
  EXPECT_EQ(format_duration(90), "90 s");
  EXPECT_EQ(format_duration(7200), "2 h");
  EXPECT_EQ(format_duration(172800), "2 d");
  EXPECT_EQ(format_duration(0.25), "0.25 s");
}

TEST(ConfigDuration, faults_say_what_is_allowed) {
  EXPECT_EQ(fault_of_duration("300"), "'300' has no unit; allowed are ms, s, min, h, d, as in '300 s'");
  EXPECT_EQ(fault_of_duration("5 m"), "'m' in '5 m' is no unit here; allowed are ms, s, min, h, d");
  EXPECT_EQ(fault_of_duration("1 month"), "'month' in '1 month' is no unit here; allowed are ms, s, min, h, d");
  EXPECT_EQ(fault_of_duration("0 s"), "'0 s' must be more than 0");
  EXPECT_EQ(fault_of_duration("-5 min"), "'-5 min' must be more than 0");
  EXPECT_EQ(fault_of_duration("1e30 d"), "'1e30 d' is too long");
  EXPECT_EQ(fault_of_duration("soon"), "'soon' is no number with one of the units ms, s, min, h, d");
  EXPECT_EQ(fault_of_duration("inf s"), "'inf s' is no number with one of the units ms, s, min, h, d");
  EXPECT_EQ(fault_of_duration("min"), "'min' is no number with one of the units ms, s, min, h, d");
}

TEST(ConfigInterval, is_model_time_months_or_steps) {
  EXPECT_EQ(parse_interval("6 h"), Interval{.seconds = 21600});
  EXPECT_EQ(parse_interval("30 min"), Interval{.seconds = 1800});
  EXPECT_EQ(parse_interval("1 d"), Interval{.seconds = 86400});
  EXPECT_EQ(parse_interval("3 days"), Interval{.seconds = 259200});
  EXPECT_EQ(parse_interval("1 month"), Interval{.months = 1});
  EXPECT_EQ(parse_interval("2 years"), Interval{.months = 24});
  EXPECT_EQ(parse_interval("5 steps"), Interval{.steps = 5});
}

TEST(ConfigInterval, without_a_number_is_one) {
  EXPECT_EQ(parse_interval("step"), Interval{.steps = 1});
  EXPECT_EQ(parse_interval("month"), Interval{.months = 1});
  EXPECT_EQ(parse_interval("day"), Interval{.seconds = 86400});
}

TEST(ConfigInterval, has_a_canonical_text) {
  for (const char* text : {"6 h", "1 d", "90 s", "1 step", "5 steps", "1 month", "18 months", "1 year", "2 years"})
    EXPECT_EQ(format_interval(parse_interval(text)), text);
  EXPECT_EQ(format_interval(parse_interval("12 months")), "1 year");
  EXPECT_EQ(format_interval(parse_interval("120 minutes")), "2 h");
}

TEST(ConfigInterval, faults_say_what_is_allowed) {
  EXPECT_EQ(fault_of_interval("6"), "'6' has no unit; allowed are s, min, h, d, month, year, step, as in '6 s'");
  EXPECT_EQ(fault_of_interval("6 m"), "'m' in '6 m' is no unit here; allowed are s, min, h, d, month, year, step");
  EXPECT_EQ(fault_of_interval("often"), "'often' is no number with one of the units s, min, h, d, month, year, step");
  EXPECT_EQ(fault_of_interval("0 h"), "'0 h' must be more than 0");
  EXPECT_EQ(fault_of_interval("-1 month"), "'-1 month' must be more than 0");
  EXPECT_EQ(fault_of_interval("0 steps"), "'0 steps' must be more than 0");
  EXPECT_EQ(fault_of_interval("1.5 months"), "'1.5 months' must be a whole number of its unit");
  EXPECT_EQ(fault_of_interval("0.5 steps"), "'0.5 steps' must be a whole number of its unit");
  EXPECT_EQ(fault_of_interval("1e18 years"), "'1e18 years' is too long");
}

TEST(ConfigDate, has_a_time_or_not) {
  EXPECT_EQ(parse_date("1850-03-04"), (Date{.year = 1850, .month = 3, .day = 4}));
  const Date morning{.year = 1850, .month = 3, .day = 4, .hour = 6, .minute = 30};
  EXPECT_EQ(parse_date("1850-03-04 06:30"), morning);
  EXPECT_EQ(parse_date("1850-03-04 06:30:00"), morning);
  EXPECT_EQ(parse_date("1850-03-04T06:30:00"), morning);
  EXPECT_EQ(parse_date("1850-03-04 06:30:59").second, 59.0);
}

TEST(ConfigDate, faults_say_what_is_allowed) {
  const std::string form = "' is no date such as 2000-01-01 or 2000-01-01 06:00:00";
  for (const std::string text : {"", "today", "2000-1-1", "2000-01-01 6:00", "2000-01-01x06:00:00", "20000-01-01"})
    EXPECT_EQ(fault_of_date(text), "'" + text + form);
  EXPECT_EQ(fault_of_date("2000-13-01"), "'2000-13-01' has no month from 01 to 12");
  EXPECT_EQ(fault_of_date("2000-00-01"), "'2000-00-01' has no month from 01 to 12");
  EXPECT_EQ(fault_of_date("2000-01-32"), "'2000-01-32' has no day from 01 to 31");
  EXPECT_EQ(fault_of_date("2000-01-00"), "'2000-01-00' has no day from 01 to 31");
  for (const std::string text : {"2000-01-01 24:00:00", "2000-01-01 00:60:00", "2000-01-01 00:00:60"})
    EXPECT_EQ(fault_of_date(text), "'" + text + "' has no time from 00:00:00 to 23:59:59");
}

TEST(ConfigInteger, has_a_least_value) {
  EXPECT_EQ(parse_integer("12", 1), 12);
  EXPECT_EQ(fault_of([] { parse_integer("0", 1); }), "'0' must be at least 1");
  for (const std::string text : {"", "1.5", "four", "4 ", "99999999999999999999"})
    EXPECT_EQ(fault_of([&] { parse_integer(text, 1); }), "'" + text + "' is no whole number");
}

}  // namespace
}  // namespace thalweg::config
