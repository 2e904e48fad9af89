#include "formats/record_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/told.hpp"
#include "config/parse_value.hpp"

namespace thalweg::formats {
namespace {

// Files of others say "gregorian", "365_day"; what is not known here is compared by the run's own calendar.
std::optional<Calendar> calendar_named(const std::string& name) {
  if (name == "gregorian") return Calendar::standard;
  if (name == "365_day") return Calendar::noleap;
  if (name == "366_day") return Calendar::all_leap;
  for (const Calendar calendar : {Calendar::standard, Calendar::proleptic_gregorian, Calendar::julian, Calendar::noleap,
                                  Calendar::all_leap, Calendar::day360})
    if (name_of(calendar) == name) return calendar;
  return std::nullopt;
}

std::string text_of(const catalog::Variable& variable, const char* name) {
  const catalog::Attribute* found = catalog::find(variable.attributes, name);
  return found == nullptr || found->type ? "" : found->text;
}

double spacing_at(Type type, double value) {
  const double size = std::abs(value);
  if (type == Type::float32)
    return std::nextafter(static_cast<float>(size), std::numeric_limits<float>::infinity()) - static_cast<float>(size);
  return type == Type::float64 ? std::nextafter(size, std::numeric_limits<double>::infinity()) - size : 0.0;
}

bool is_of_calendar(const RecordTime& time, const RunStart& start) {
  return start.translates || time.calendar.empty() ||
         calendar_named(time.calendar).value_or(start.calendar) == start.calendar;
}

void require_calendar(const RecordTime& time, const std::string& path, const RunStart& start) {
  if (is_of_calendar(time, start)) return;
  fail(THALWEG_ERROR_FORMAT, "the times of '{}' are of the calendar '{}', but those of this run of '{}'", path,
       time.calendar, name_of(start.calendar));
}

// Of the first variable without other dimensions that is one of times.
template <typename IsTime>
std::optional<RecordTime> time_by(ReadableFile& file, std::int64_t record, const IsTime& is_time) {
  const std::vector<catalog::Variable>& variables = file.definition().variables;
  const auto time = std::ranges::find_if(
      variables, [&](const catalog::Variable& variable) { return variable.dimensions.empty() && is_time(variable); });
  if (time == variables.end()) return std::nullopt;
  std::array<std::byte, 8> bytes{};
  file.read(static_cast<int>(time - variables.begin()), record, Box{}, std::span(bytes).first(size_of(time->type)));
  const auto value = number_of(time->type, bytes);
  if (!value) return std::nullopt;
  return RecordTime{*value, text_of(*time, "units"), text_of(*time, "calendar"), spacing_at(time->type, *value)};
}

}  // namespace

std::string date_text(const RunStart& start, double time_s) {
  return to_string(date_after(start.calendar, start.reference, time_s));
}

std::optional<TimeUnits> parse_time_units(const std::string& text) {
  constexpr std::pair<std::string_view, double> known[] = {
      {"second", 1.0},  {"sec", 1.0},   {"s", 1.0},    {"minute", 60.0}, {"min", 60.0},
      {"hour", 3600.0}, {"hr", 3600.0}, {"h", 3600.0}, {"day", 86400.0}, {"d", 86400.0}};
  constexpr std::string_view since = " since ";
  const std::size_t at = text.find(since);
  if (at == std::string::npos) return std::nullopt;
  std::string unit = text.substr(0, at);
  if (unit.size() > 1 && unit.back() == 's') unit.pop_back();
  const auto found = std::ranges::find(known, unit, &std::pair<std::string_view, double>::first);
  if (found == std::end(known)) return std::nullopt;
  try {
    return TimeUnits{found->second, config::parse_date(text.substr(at + since.size()))};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<double> model_time(const RecordTime& record, const RunStart& start, std::string* why) {
  const auto units = parse_time_units(record.units);
  if (!units) *why = fmt::format("its times are in '{}'", record.units);
  if (!units) return std::nullopt;
  const Calendar calendar = calendar_named(record.calendar).value_or(start.calendar);
  const double since_s = record.value * units->seconds;
  if (!is_model_time(calendar, units->reference, since_s)) {
    *why = fmt::format("it has the time {} {}", record.value, record.units);
    return std::nullopt;
  }
  if (calendar == start.calendar && units->reference == start.reference) return since_s;  // as it is, to the last bit
  const Date date = date_after(calendar, units->reference, since_s);
  if (start.translates && date.day > days_in_month(start.calendar, date.year, date.month))
    return std::numeric_limits<double>::quiet_NaN();
  return seconds_between(start.calendar, start.reference, date);
}

std::optional<RecordTime> time_of_record(ReadableFile& file, std::int64_t record) {
  return time_by(file, record, [&](const catalog::Variable& variable) {
    return variable.has_record && variable.name == file.definition().record_dimension;
  });
}

std::optional<double> time_of_file(ReadableFile& file, const RunStart& start) {
  const auto time = time_by(file, 0, [](const catalog::Variable& variable) {
    return !variable.has_record && (variable.name == "time" || text_of(variable, "standard_name") == "time");
  });
  if (!time || !is_of_calendar(*time, start)) return std::nullopt;
  std::string why;
  return model_time(*time, start, &why);
}

RecordTimes record_times(ReadableFile& file, const std::string& path, const RunStart& start) {
  RecordTimes times;
  double spacing = 0.0;
  std::string units;
  for (std::int64_t r = 0; r < file.records(); ++r) {
    const auto record = time_of_record(file, r);
    if (!record)
      fail(THALWEG_ERROR_FORMAT, "'{}' has no variable '{}' of numbers that says when its records were", path,
           file.definition().record_dimension);
    if (r == 0) require_calendar(*record, path, start);
    std::string why;
    const auto time_s = model_time(*record, start, &why);
    if (!time_s)
      fail(THALWEG_ERROR_FORMAT, "the time of record {} of '{}' cannot be read: {}", told::number(r), path, why);
    times.times_s.push_back(*time_s);
    spacing = std::max(spacing, record->spacing);
    units = record->units;
  }
  times.resolution_s = spacing * parse_time_units(units).value_or(TimeUnits()).seconds;
  return times;
}

}  // namespace thalweg::formats
