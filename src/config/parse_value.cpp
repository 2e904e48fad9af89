#include "config/parse_value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/names.hpp"

namespace thalweg::config {
namespace {

template <typename... Args>
[[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args) {
  throw BadValue(fmt::format(format, std::forward<Args>(args)...));
}

// A number and the unit behind it; either may be missing.
struct Quantity {
  bool has_number = false;
  double number = 1.0;
  std::string unit;
};

Quantity split_quantity(const std::string& text) {
  Quantity quantity;
  const char* end = text.data() + text.size();
  const char* unit = text.data();
  // Letters such as "inf" are no number here.
  if (text.find_first_of("0123456789") == text.find_first_not_of("+-.")) {
    const auto parsed = std::from_chars(text.data(), end, quantity.number);
    quantity.has_number = parsed.ec == std::errc{} && std::isfinite(quantity.number);
    if (!quantity.has_number) reject("'{}' does not begin with a usable number", text);
    unit = parsed.ptr;
  }
  quantity.unit = std::string(unit, end);
  quantity.unit.erase(0, std::min(quantity.unit.find_first_not_of(' '), quantity.unit.size()));
  return quantity;
}

// Beyond every model run, and small enough that arithmetic with a few of them cannot overflow.
constexpr double longest = 1e12;

struct Unit {
  std::string_view name;
  double factor;
};

// A unit's other spellings are accepted too; messages show one of each.
constexpr std::array byte_units = {Unit{"B", 1},        Unit{"kB", 1e3},     Unit{"MB", 1e6},
                                   Unit{"GB", 1e9},     Unit{"TB", 1e12},    Unit{"KiB", 0x1p10},
                                   Unit{"MiB", 0x1p20}, Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}};
constexpr std::array second_units = {Unit{"ms", 1e-3},   Unit{"s", 1},        Unit{"second", 1},   Unit{"seconds", 1},
                                     Unit{"min", 60},    Unit{"minute", 60},  Unit{"minutes", 60}, Unit{"h", 3600},
                                     Unit{"hour", 3600}, Unit{"hours", 3600}, Unit{"d", 86400},    Unit{"day", 86400},
                                     Unit{"days", 86400}};
constexpr std::array month_units = {Unit{"month", 1}, Unit{"months", 1}, Unit{"year", 12}, Unit{"years", 12}};
constexpr std::array step_units = {Unit{"step", 1}, Unit{"steps", 1}};

constexpr std::string_view duration_units_text = "ms, s, min, h, d";
constexpr std::string_view interval_units_text = "s, min, h, d, month, year, step";

template <std::size_t n>
const Unit* find_unit(const std::array<Unit, n>& units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

template <std::size_t n>
std::vector<std::string> names_of(const std::array<Unit, n>& units) {
  std::vector<std::string> names;
  for (const Unit& unit : units) names.emplace_back(unit.name);
  return names;
}

void require_unit(const std::string& text, const Quantity& quantity, std::string_view allowed) {
  if (quantity.unit.empty() && quantity.has_number)
    reject("'{}' has no unit; allowed are {}, as in '{} s'", text, allowed, text);
}

[[noreturn]] void reject_unit(const std::string& text, const Quantity& quantity, std::string_view allowed) {
  if (!quantity.has_number) reject("'{}' is no number with one of the units {}", text, allowed);
  reject("'{}' in '{}' is no unit here; allowed are {}", quantity.unit, text, allowed);
}

void require_positive(const std::string& text, double number) {
  if (!(number > 0)) reject("'{}' must be more than 0", text);
  if (number > longest) reject("'{}' is too long", text);
}

std::int64_t whole(const std::string& text, double number) {
  if (number != std::floor(number)) reject("'{}' must be a whole number of its unit", text);
  return static_cast<std::int64_t>(number);
}

bool has_form_of_date(std::string form) {
  for (char& c : form) c = c >= '0' && c <= '9' ? '0' : c;
  if (form.size() > 10 && form[10] == 'T') form[10] = ' ';
  return form == "0000-00-00" || form == "0000-00-00 00:00" || form == "0000-00-00 00:00:00";
}

}  // namespace

std::optional<double> parse_number(const std::string& text) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

std::int64_t parse_integer(const std::string& text, std::int64_t least) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) reject("'{}' is no whole number", text);
  if (value < least) reject("'{}' must be at least {}", text, least);
  return value;
}

std::int64_t parse_bytes(const std::string& text, std::int64_t least) {
  const Quantity quantity = split_quantity(text);
  if (!quantity.has_number) reject("'{}' is no number of bytes, such as '512 MiB'", text);
  const Unit* unit = find_unit(byte_units, quantity.unit.empty() ? "B" : quantity.unit);
  if (unit == nullptr)
    reject("'{}' in '{}' is no unit of bytes; allowed are {}", quantity.unit, text,
           fmt::join(names_of(byte_units), ", "));
  const double bytes = quantity.number * unit->factor;
  if (bytes < static_cast<double>(least)) reject("'{}' must be at least {}", text, format_bytes(least));
  if (bytes >= 0x1p62) reject("'{}' is too large", text);
  return static_cast<std::int64_t>(std::llround(bytes));
}

std::string format_bytes(std::int64_t bytes) {
  const Unit* best = &byte_units[0];
  for (const Unit& unit : byte_units) {
    const auto factor = static_cast<std::int64_t>(unit.factor);
    if (bytes != 0 && bytes % factor == 0) best = &unit;
  }
  return fmt::format("{} {}", bytes / static_cast<std::int64_t>(best->factor), best->name);
}

double parse_duration(const std::string& text) {
  const Quantity quantity = split_quantity(text);
  require_unit(text, quantity, duration_units_text);
  const Unit* unit = find_unit(second_units, quantity.unit);
  if (unit == nullptr || !quantity.has_number) reject_unit(text, quantity, duration_units_text);
  require_positive(text, quantity.number * unit->factor);
  return quantity.number * unit->factor;
}

std::string format_duration(double seconds) {
  for (const std::string_view name : {"d", "h", "min", "s"}) {
    const double count = seconds / find_unit(second_units, name)->factor;
    if (count >= 1 && count == std::floor(count)) return fmt::format("{:.0f} {}", count, name);
  }
  return fmt::format("{} s", seconds);
}

Interval parse_interval(const std::string& text) {
  const Quantity quantity = split_quantity(text);
  require_unit(text, quantity, interval_units_text);
  if (quantity.has_number) require_positive(text, quantity.number);
  if (const Unit* unit = find_unit(step_units, quantity.unit))
    return {.steps = whole(text, quantity.number * unit->factor)};
  if (const Unit* unit = find_unit(month_units, quantity.unit))
    return {.months = whole(text, quantity.number * unit->factor)};
  const Unit* unit = find_unit(second_units, quantity.unit);
  if (unit == nullptr) reject_unit(text, quantity, interval_units_text);
  require_positive(text, quantity.number * unit->factor);
  return {.seconds = quantity.number * unit->factor};
}

std::string format_interval(const Interval& interval) {
  if (interval.steps != 0) return counted(interval.steps, "step");
  if (interval.months % 12 == 0 && interval.months != 0) return counted(interval.months / 12, "year");
  if (interval.months != 0) return counted(interval.months, "month");
  return format_duration(interval.seconds);
}

Date parse_date(const std::string& text) {
  if (!has_form_of_date(text)) reject("'{}' is no date such as 2000-01-01 or 2000-01-01 06:00:00", text);
  const auto number = [&text](std::size_t begin, std::size_t size) {
    return begin < text.size() ? std::stoi(text.substr(begin, size)) : 0;
  };
  const Date date{.year = number(0, 4),
                  .month = number(5, 2),
                  .day = number(8, 2),
                  .hour = number(11, 2),
                  .minute = number(14, 2),
                  .second = static_cast<double>(number(17, 2))};
  if (date.month < 1 || date.month > 12) reject("'{}' has no month from 01 to 12", text);
  if (date.day < 1 || date.day > 31) reject("'{}' has no day from 01 to 31", text);
  if (date.hour > 23 || date.minute > 59 || date.second >= 60)
    reject("'{}' has no time from 00:00:00 to 23:59:59", text);
  return date;
}

}  // namespace thalweg::config
