#include "formats/time_units.hpp"

#include <gtest/gtest.h>

namespace thalweg::formats {
namespace {

struct Known {
  const char* units;
  double seconds;
  Date reference;
};

// What cftime and UDUNITS understand, of files of models, reanalyses and observations.
const Known known[] = {
    {"seconds since 2000-01-01 00:00:00", 1.0, {2000, 1, 1, 0, 0, 0.0}},
    {"hours since 2001-01-01 00:00:00.000000", 3600.0, {2001, 1, 1, 0, 0, 0.0}},
    {"hours since 1900-01-01 00:00:0.0", 3600.0, {1900, 1, 1, 0, 0, 0.0}},
    {"days since 1-1-1 00:00:0.0", 86400.0, {1, 1, 1, 0, 0, 0.0}},
    {"days since 1979-1-1", 86400.0, {1979, 1, 1, 0, 0, 0.0}},
    {"days since 1979-12-31T06:30:00Z", 86400.0, {1979, 12, 31, 6, 30, 0.0}},
    {"days since 2000-01-01 00:00:00 UTC", 86400.0, {2000, 1, 1, 0, 0, 0.0}},
    {"hours since 2000-01-01 00:00:00 +0:00", 3600.0, {2000, 1, 1, 0, 0, 0.0}},
    {"hours since 2000-01-01 00:00:00 -6:00", 3600.0, {2000, 1, 1, 6, 0, 0.0}},
    {"hours since 2000-01-01 02:00 +0530", 3600.0, {1999, 12, 31, 20, 30, 0.0}},
    {"hours since 2000-01-01 02:00 +100", 3600.0, {2000, 1, 1, 1, 0, 0.0}},
    {"hours since 2000-01-01 06:00:00.0 6", 3600.0, {2000, 1, 1, 0, 0, 0.0}},
    {"hours since 2000-01-01 06:00 0:00", 3600.0, {2000, 1, 1, 6, 0, 0.0}},
    {"Hours since 2000-01-01 06:30:15.5", 3600.0, {2000, 1, 1, 6, 30, 15.5}},
    {"hours since 2000-01-01 12", 3600.0, {2000, 1, 1, 12, 0, 0.0}},
    {"milliseconds since 2000-01-01", 1e-3, {2000, 1, 1, 0, 0, 0.0}},
    {"weeks since 2000-01-01", 604800.0, {2000, 1, 1, 0, 0, 0.0}},
    {" minutes  SINCE  2000-01-01  ", 60.0, {2000, 1, 1, 0, 0, 0.0}},
    {"days since 20010203T0405", 86400.0, {2001, 2, 3, 4, 5, 0.0}},
    {"days since 12000-01-01", 86400.0, {12000, 1, 1, 0, 0, 0.0}},
    {"days since -4713-11-24 12:00", 86400.0, {-4713, 11, 24, 12, 0, 0.0}},
    {"days since 0000-02-29", 86400.0, {0, 2, 29, 0, 0, 0.0}},
    {"h since 2000-01", 3600.0, {2000, 1, 1, 0, 0, 0.0}},
};

TEST(TimeUnits, HaveTheFormsThatFilesOfOthersHave) {
  for (const Known& of : known) {
    const auto units = parse_time_units(of.units, Calendar::proleptic_gregorian);
    ASSERT_TRUE(units) << of.units;
    EXPECT_EQ(units->seconds, of.seconds) << of.units;
    EXPECT_EQ(units->reference, of.reference) << of.units << ": " << to_string(units->reference);
  }
}

TEST(TimeUnits, AreRefusedWhereNoDateIsMeant) {
  for (const char* units : {"",
                            "since 2000-01-01",
                            "days",
                            "days since",
                            "days since ",
                            "dayssince 2000-01-01",
                            "days since yesterday",
                            "fortnights since 2000-01-01",
                            "months since 2000-01-01",
                            "years since 2000-01-01",
                            "days since 2000-13-01",
                            "days since 2000-00-01",
                            "days since 2000-01-00",
                            "days since 2000-01-01 24:00",
                            "days since 2000-01-01 10:60",
                            "days since 2000-01-01 10:00:60",
                            "days since 2000-01-01 10:",
                            "days since 2000-01-01 noon",
                            "days since 2000-01-01 00:00 EST",
                            "days since 2000-01-01 -5:00",
                            "days since 2000-01-01+1",
                            "days since 2000-01-01 00:00 +99:99",
                            "days since 2000/01/01",
                            "days since 2000-01-01-",
                            "days since --1-1-1",
                            "K",
                            "days since 99999999999999999999-01-01"})
    EXPECT_FALSE(parse_time_units(units, Calendar::standard)) << units;
}

TEST(TimeUnits, AreThoseOfTheirCalendar) {
  EXPECT_FALSE(parse_time_units("days since 2001-02-30", Calendar::standard));
  EXPECT_FALSE(parse_time_units("days since 2000-02-29", Calendar::noleap));
  EXPECT_FALSE(parse_time_units("days since 2000-01-31", Calendar::day360));
  EXPECT_EQ(parse_time_units("days since 2001-02-30", Calendar::day360)->reference, (Date{2001, 2, 30, 0, 0, 0.0}));
  EXPECT_EQ(parse_time_units("months since 2000-01-01", Calendar::day360)->seconds, 30 * 86400.0);
}

}  // namespace
}  // namespace thalweg::formats
