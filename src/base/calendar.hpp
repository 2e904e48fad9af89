// CF calendars: dates, seconds since a reference, and intervals. Source: CF conventions 1.8, section 4.4.1.
// "standard" is proleptic_gregorian here for dates from 1582-10-15 on and julian before, as CF says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg {

enum class Calendar { standard, proleptic_gregorian, julian, noleap, all_leap, day360 };

struct Date {
  std::int64_t year = 2000;
  int month = 1;  // 1..12
  int day = 1;    // 1..31
  int hour = 0;
  int minute = 0;
  double second = 0.0;
  friend bool operator==(const Date&, const Date&) = default;
};

// An interval of model time: exactly one of the parts is non-zero.
struct Interval {
  std::int64_t steps = 0;   // model steps, that is calls of advance
  std::int64_t months = 0;  // calendar months (a year is 12)
  double seconds = 0.0;
  bool is_run = false;  // all of the run
  friend bool operator==(const Interval&, const Interval&) = default;
};

std::string_view name_of(Calendar calendar);  // CF's name, for the attribute "calendar"

// Days in a month of the calendar.
int days_in_month(Calendar calendar, std::int64_t year, int month);

// The date that lies seconds after reference; and the inverse. Exact to the rounding of a double.
Date date_after(Calendar calendar, const Date& reference, double seconds);
double seconds_between(Calendar calendar, const Date& reference, const Date& date);

// Whether a model may be at the time: it is finite, and a date that files and their readers have room for.
constexpr std::int64_t last_year = 999'999;  // and as many before the year 0
bool is_model_time(Calendar calendar, const Date& reference, double seconds);

// The date count calendar months after date; a day that the month lacks becomes its last one.
Date add_months(Calendar calendar, const Date& date, std::int64_t count);

// "2000-01-01 00:00:00", the form CF's "units" attribute wants.
std::string to_string(const Date& date);

// Units of a time coordinate as CF has them: "seconds since 2000-01-01 00:00:00".
std::string seconds_since(const Date& reference);

// Whether a file name has parts that fill_template replaces by parts of a date ("%%" is none).
bool is_template(std::string_view name);

// Whether it has the number of a file among those that are written in turn, %n.
bool has_number_part(std::string_view name);

// Whether it has the name of the one variable of a file, %v, and the name with that.
bool has_variable_part(std::string_view name);
std::string with_variable(std::string_view name, std::string_view variable);

// The text as a template that is filled by it.
std::string in_template(std::string_view text);

// Fills %Y (4 digits) %m %d %H %M %S %j (day of year, 3 digits), %n (the number) and %% of a file name template, and
// leaves %v as it is. Throws on another %x.
std::string fill_template(std::string_view pattern, Calendar calendar, const Date& date, std::int64_t number = 0);

}  // namespace thalweg
