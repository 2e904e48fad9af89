#include "base/calendar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace thalweg {
namespace {

constexpr std::int64_t seconds_a_day = 86400;
constexpr std::int64_t microseconds = 1000000;

// How many multiples of n lie in [0, year); negative for years before 0. Year 0 exists in this arithmetic.
std::int64_t multiples_before(std::int64_t year, std::int64_t n) {
  return floor_div(year + n - 1, n);
}

// The reform: 1582-10-04 in the Julian calendar is followed by 1582-10-15 in the Gregorian one.
using Day = std::tuple<std::int64_t, int, int>;
constexpr Day first_gregorian{1582, 10, 15};
constexpr Day last_julian{1582, 10, 4};

Day day_of(const Date& date) {
  return {date.year, date.month, date.day};
}

// The calendar with regular years that rules a date.
Calendar ruling(Calendar calendar, const Day& day) {
  if (calendar != Calendar::standard) return calendar;
  return day < first_gregorian ? Calendar::julian : Calendar::proleptic_gregorian;
}

bool is_leap(Calendar calendar, std::int64_t year) {
  // 1582 itself is a common year in both calendars, so that the whole year may follow either rule.
  switch (ruling(calendar, {year, 12, 31})) {
    case Calendar::all_leap: return true;
    case Calendar::julian: return year % 4 == 0;
    case Calendar::standard:
    case Calendar::proleptic_gregorian: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    case Calendar::noleap:
    case Calendar::day360: return false;
  }
  return false;
}

// Days from the calendar's epoch to 1 January of a year, in a calendar with regular years. The epochs of the Julian
// and the Gregorian calendar are the same day (1 January of year 0, Gregorian), so that their numbers are comparable.
std::int64_t days_before_year(Calendar regular, std::int64_t year) {
  switch (regular) {
    case Calendar::noleap: return 365 * year;
    case Calendar::all_leap: return 366 * year;
    case Calendar::day360: return 360 * year;
    case Calendar::julian: return 365 * year + multiples_before(year, 4) - 2;
    case Calendar::standard:
    case Calendar::proleptic_gregorian: break;
  }
  return 365 * year + multiples_before(year, 4) - multiples_before(year, 100) + multiples_before(year, 400);
}

int days_before_month(Calendar regular, std::int64_t year, int month) {
  if (regular == Calendar::day360) return 30 * (month - 1);
  constexpr std::array<int, 12> before = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  return before[static_cast<std::size_t>(month - 1)] + (month > 2 && is_leap(regular, year) ? 1 : 0);
}

std::int64_t day_number(Calendar calendar, const Day& day) {
  const auto [year, month, day_of_month] = day;
  const Calendar regular = ruling(calendar, day);
  return days_before_year(regular, year) + days_before_month(regular, year, month) + day_of_month - 1;
}

Date date_of_day_number(Calendar calendar, std::int64_t number) {
  if (calendar == Calendar::standard)
    calendar = number < day_number(calendar, first_gregorian) ? Calendar::julian : Calendar::proleptic_gregorian;
  const std::int64_t cycle = days_before_year(calendar, 400) - days_before_year(calendar, 0);  // all rules repeat
  Date date;
  date.year = 400 * floor_div(number, cycle) + (number - cycle * floor_div(number, cycle)) * 400 / cycle;
  // The mean year may miss the year by one at its ends.
  while (days_before_year(calendar, date.year) > number) --date.year;
  while (days_before_year(calendar, date.year + 1) <= number) ++date.year;
  const auto rest = static_cast<int>(number - days_before_year(calendar, date.year));
  for (date.month = 12; days_before_month(calendar, date.year, date.month) > rest;) --date.month;
  date.day = rest - days_before_month(calendar, date.year, date.month) + 1;
  return date;
}

double second_of_day(const Date& date) {
  return 3600.0 * date.hour + 60.0 * date.minute + date.second;
}

std::string filled(char code, Calendar calendar, const Date& date, std::int64_t number, std::string_view pattern) {
  switch (code) {
    case 'n': return std::to_string(number);
    case 'Y': return fmt::format("{:04}", date.year);
    case 'm': return fmt::format("{:02}", date.month);
    case 'd': return fmt::format("{:02}", date.day);
    case 'H': return fmt::format("{:02}", date.hour);
    case 'M': return fmt::format("{:02}", date.minute);
    case 'S': return fmt::format("{:02}", static_cast<int>(date.second));
    case 'j':
      // Also in 1582 counted as if no day had been dropped, as other tools do.
      return fmt::format("{:03}", days_before_month(calendar, date.year, date.month) + date.day);
    case 'v': return "%v";
    case '%': return "%";
    default: break;
  }
  fail(THALWEG_ERROR_CONFIG, "'%{}' in the file name '{}' is none of %Y, %m, %d, %H, %M, %S, %j, %n, %v, %%",
       code == '\0' ? "" : std::string(1, code), pattern);
}

template <typename IsCode>
bool has_part(std::string_view name, const IsCode& is_code) {
  for (std::size_t i = name.find('%'); i != name.npos && i + 1 < name.size(); i = name.find('%', i + 2))
    if (is_code(name[i + 1])) return true;
  return false;
}

}  // namespace

std::string_view name_of(Calendar calendar) {
  switch (calendar) {
    case Calendar::standard: return "standard";
    case Calendar::proleptic_gregorian: return "proleptic_gregorian";
    case Calendar::julian: return "julian";
    case Calendar::noleap: return "noleap";
    case Calendar::all_leap: return "all_leap";
    case Calendar::day360: return "360_day";
  }
  return "?";
}

int days_in_month(Calendar calendar, std::int64_t year, int month) {
  if (calendar == Calendar::day360) return 30;
  constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(calendar, year) ? 1 : 0);
}

Date date_after(Calendar calendar, const Date& reference, double seconds) {
  if (!(std::abs(seconds) < 0x1p53))
    fail(THALWEG_ERROR_ARGUMENT, "{} s since {} is no model time: it must be finite and less than 2^53 s", seconds,
         to_string(reference));
  // Whole days apart from the rest keeps the rest exact. It is rounded to the microsecond, finer than which a double
  // of some centuries cannot be, so that a sum of many steps such as 3599.9999999 s is the full hour.
  const double days = std::floor(seconds / seconds_a_day);
  const double rest = seconds - days * seconds_a_day + second_of_day(reference);
  const std::int64_t ticks = std::llround(rest * microseconds);
  const std::int64_t more_days = floor_div(ticks, seconds_a_day * microseconds);
  const std::int64_t today = ticks - more_days * seconds_a_day * microseconds;
  Date date = date_of_day_number(calendar,
                                 day_number(calendar, day_of(reference)) + static_cast<std::int64_t>(days) + more_days);
  date.hour = static_cast<int>(today / (3600 * microseconds));
  date.minute = static_cast<int>(today / (60 * microseconds) % 60);
  date.second = static_cast<double>(today % (60 * microseconds)) / microseconds;
  return date;
}

double seconds_between(Calendar calendar, const Date& reference, const Date& date) {
  const std::int64_t days = day_number(calendar, day_of(date)) - day_number(calendar, day_of(reference));
  return static_cast<double>(days * seconds_a_day) + (second_of_day(date) - second_of_day(reference));
}

bool is_model_time(Calendar calendar, const Date& reference, double seconds) {
  if (!(std::abs(seconds) < 0x1p53)) return false;
  const std::int64_t year = date_after(calendar, reference, seconds).year;
  return -last_year <= year && year <= last_year;
}

Date add_months(Calendar calendar, const Date& date, std::int64_t count) {
  Date moved = date;
  const std::int64_t months = 12 * date.year + date.month - 1 + count;
  moved.year = floor_div(months, 12);
  moved.month = static_cast<int>(months - 12 * moved.year) + 1;
  moved.day = std::min(date.day, days_in_month(calendar, moved.year, moved.month));
  // A day that the reform dropped becomes the first one after it.
  const bool dropped = last_julian < day_of(moved) && day_of(moved) < first_gregorian;
  if (calendar == Calendar::standard && dropped) moved.day = std::get<2>(first_gregorian);
  return moved;
}

std::string to_string(const Date& date) {
  const std::int64_t ticks = std::min<std::int64_t>(std::llround(date.second * microseconds), 60 * microseconds - 1);
  std::string text = fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", date.year, date.month, date.day, date.hour,
                                 date.minute, ticks / microseconds);
  if (ticks % microseconds == 0) return text;
  text += fmt::format(".{:06}", ticks % microseconds);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

std::string seconds_since(const Date& reference) {
  return "seconds since " + to_string(reference);
}

bool is_template(std::string_view name) {
  return has_part(name, [](char code) { return code != '%' && code != 'n' && code != 'v'; });
}

bool has_number_part(std::string_view name) {
  return has_part(name, [](char code) { return code == 'n'; });
}

bool has_variable_part(std::string_view name) {
  return has_part(name, [](char code) { return code == 'v'; });
}

std::string with_variable(std::string_view name, std::string_view variable) {
  std::string with;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_part = name[i] == '%' && i + 1 < name.size();
    if (is_part && name[i + 1] == 'v')
      with += in_template(variable);
    else
      with += is_part ? name.substr(i, 2) : name.substr(i, 1);
    if (is_part) ++i;
  }
  return with;
}

std::string in_template(std::string_view text) {
  std::string name;
  for (const char c : text) name += c == '%' ? std::string("%%") : std::string(1, c);
  return name;
}

std::string fill_template(std::string_view pattern, Calendar calendar, const Date& date, std::int64_t number) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      name += pattern[i];
      continue;
    }
    const char code = ++i < pattern.size() ? pattern[i] : '\0';
    name += filled(code, calendar, date, number, pattern);
  }
  return name;
}

}  // namespace thalweg
