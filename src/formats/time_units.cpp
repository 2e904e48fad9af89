#include "formats/time_units.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>

// python/thalweg/time_units.py takes the same forms, as tests/support/time_forms.py has them.
namespace thalweg::formats {
namespace {

constexpr std::string_view blanks = " \t\n\r";
constexpr std::string_view digits = "0123456789";

bool is_blank(char c) {
  return blanks.find(c) != std::string_view::npos;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

struct SplitUnits {
  std::string_view unit;
  std::string_view reference;
};

// At the word "since".
std::optional<SplitUnits> split(std::string_view text) {
  constexpr std::string_view since = "since";
  const std::size_t at = text.find(since);
  if (at == std::string_view::npos || at == 0 || at + since.size() == text.size()) return std::nullopt;
  const bool is_word = is_blank(text[at - 1]) && is_blank(text[at + since.size()]);
  if (!is_word) return std::nullopt;
  return SplitUnits{without_blanks(text.substr(0, at)), without_blanks(text.substr(at + since.size()))};
}

std::optional<double> seconds_of(std::string_view unit, Calendar calendar) {
  constexpr std::pair<std::string_view, double> known[] = {
      {"microsecond", 1e-6}, {"microsec", 1e-6}, {"us", 1e-6},      {"millisecond", 1e-3}, {"millisec", 1e-3},
      {"msec", 1e-3},        {"ms", 1e-3},       {"second", 1.0},   {"sec", 1.0},          {"s", 1.0},
      {"minute", 60.0},      {"min", 60.0},      {"hour", 3600.0},  {"hr", 3600.0},        {"h", 3600.0},
      {"day", 86400.0},      {"d", 86400.0},     {"week", 604800.0}};
  const auto value_of = [&](std::string_view name) -> std::optional<double> {
    const auto found = std::ranges::find(known, name, &std::pair<std::string_view, double>::first);
    return found == std::end(known) ? std::nullopt : std::optional(found->second);
  };
  if (const auto value = value_of(unit)) return value;
  const std::string_view singular = unit.size() > 2 && unit.back() == 's' ? unit.substr(0, unit.size() - 1) : unit;
  if (singular == "month" && calendar == Calendar::day360) return 30 * 86400.0;  // elsewhere it has no length
  return value_of(singular);
}

// Takes a text apart from its beginning. What cannot be taken makes it false for good.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : left_(text) {}

  bool is_good() const { return is_good_; }
  bool is_at_end() const { return left_.empty(); }
  bool is_at_digit() const { return digits_ahead() > 0; }
  std::size_t digits_ahead() const { return std::min(left_.find_first_not_of(digits), left_.size()); }
  bool take(char c) {
    if (left_.empty() || left_.front() != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view word) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(blanks), left_.size())); }
  void refuse() { is_good_ = false; }
  std::int64_t number(std::size_t most) {
    const std::size_t many = std::min(digits_ahead(), most);
    std::int64_t value = 0;
    is_good_ &= many > 0 && std::from_chars(left_.data(), left_.data() + many, value).ec == std::errc();
    left_.remove_prefix(many);
    return value;
  }
  int two_digits() { return static_cast<int>(number(2)); }
  // "15", "15.", "15.25"
  double seconds() {
    const double whole = two_digits();
    if (!take('.')) return whole;
    double part = 0.0;
    double place = 0.1;
    for (; is_at_digit(); left_.remove_prefix(1), place /= 10) part += (left_.front() - '0') * place;
    return whole + part;
  }

 private:
  std::string_view left_;
  bool is_good_ = true;
};

// "2000-01-01", "1-1-1", "-4712-1-1", "20000101", "2000-01", "2000"
void take_day(Scanner& text, Date& date) {
  const bool is_before_zero = text.take('-');
  if (!is_before_zero) text.take('+');
  if (text.digits_ahead() == 8) {
    date.year = text.number(4);
    date.month = text.two_digits();
    date.day = text.two_digits();
  } else {
    date.year = text.number(6);
    if (text.take('-')) date.month = text.two_digits();
    if (text.take('-')) date.day = text.two_digits();
  }
  if (is_before_zero) date.year = -date.year;
}

// "06", "6:00", "06:00:00.0", "0600", "060000"
void take_time(Scanner& text, Date& date) {
  const std::size_t many = text.digits_ahead();
  const bool is_packed = many > 2;
  date.hour = static_cast<int>(text.number(is_packed && many % 2 == 1 ? 1 : 2));
  const auto goes_on = [&] { return is_packed ? text.is_at_digit() : text.take(':'); };
  if (goes_on()) date.minute = text.two_digits();
  if (goes_on()) date.second = text.seconds();
}

// "z", "utc", "gmt", "+1", "-6:00", "+0530", "6": how far the clock is ahead of UTC. Behind a date without a clock
// UDUNITS takes "-6:00" for one of six hours before it, and others for a zone.
double take_zone(Scanner& text, bool has_clock) {
  if (text.is_at_end() || text.take('z') || text.take("utc") || text.take("gmt")) return 0.0;
  const bool is_behind = text.take('-');
  if (!is_behind) text.take('+');
  if (!has_clock) text.refuse();
  Date clock;
  take_time(text, clock);
  if (clock.hour > 18 || clock.minute > 59) text.refuse();
  const double ahead_s = clock.hour * 3600.0 + clock.minute * 60.0;
  return is_behind ? -ahead_s : ahead_s;
}

bool is_date_of(Calendar calendar, const Date& date) {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 &&
         date.day <= days_in_month(calendar, date.year, date.month) && date.hour < 24 && date.minute < 60 &&
         date.second < 60.0;
}

std::optional<Date> parse_reference(std::string_view reference, Calendar calendar) {
  Scanner text(reference);
  Date date{.year = 0};
  take_day(text, date);
  text.take('t');
  text.skip_blanks();
  const bool has_clock = text.is_at_digit();
  if (has_clock) take_time(text, date);
  text.skip_blanks();
  const double ahead_s = take_zone(text, has_clock);
  if (!text.is_good() || !text.is_at_end() || !is_date_of(calendar, date)) return std::nullopt;
  return ahead_s == 0.0 ? date : date_after(calendar, date, -ahead_s);
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return small;
}

std::optional<Calendar> calendar_named(std::string_view name) {
  constexpr std::pair<std::string_view, Calendar> known[] = {
      {"standard", Calendar::standard}, {"gregorian", Calendar::standard},
      {"julian", Calendar::julian},     {"proleptic_gregorian", Calendar::proleptic_gregorian},
      {"noleap", Calendar::noleap},     {"365_day", Calendar::noleap},
      {"no_leap", Calendar::noleap},    {"all_leap", Calendar::all_leap},
      {"366_day", Calendar::all_leap},  {"360_day", Calendar::day360},
      {"360", Calendar::day360},        {"thirty_day_months", Calendar::day360}};
  const std::string small = in_small_letters(name);
  const auto found = std::ranges::find(known, without_blanks(small), &std::pair<std::string_view, Calendar>::first);
  return found == std::end(known) ? std::nullopt : std::optional(found->second);
}

bool says_since(std::string_view text) {
  return split(in_small_letters(text)).has_value();
}

std::optional<TimeUnits> parse_time_units(std::string_view text, Calendar calendar) {
  const std::string small = in_small_letters(text);
  const auto both = split(small);
  if (!both) return std::nullopt;
  const auto seconds = seconds_of(both->unit, calendar);
  const auto reference = parse_reference(both->reference, calendar);
  if (!seconds || !reference) return std::nullopt;
  return TimeUnits{*seconds, *reference};
}

}  // namespace thalweg::formats
