#include "formats/record_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/told.hpp"
#include "catalog/packing.hpp"
#include "formats/time_units.hpp"

namespace thalweg::formats {
namespace {

// By CF, who says none means "standard", and files of other calendars than the run's are translated by it. Elsewhere
// what says none is taken for the run's own.
std::optional<Calendar> calendar_of(const RecordTime& time, const RunStart& start) {
  if (!time.calendar.empty()) return calendar_named(time.calendar);
  return start.translates ? Calendar::standard : start.calendar;
}

bool is_gregorian(Calendar calendar) {
  return calendar == Calendar::standard || calendar == Calendar::proleptic_gregorian;
}

// Whether both calendars have the same days at that date, and from there on.
bool agree_on(Calendar a, Calendar b, const Date& date) {
  if (a == b) return true;
  const auto day = std::make_tuple(date.year, date.month, date.day);
  return is_gregorian(a) && is_gregorian(b) && day >= std::make_tuple(1582, 10, 15);
}

double spacing_at(Type type, double value) {
  const double size = std::abs(value);
  if (type == Type::float32)
    return std::nextafter(static_cast<float>(size), std::numeric_limits<float>::infinity()) - static_cast<float>(size);
  return type == Type::float64 ? std::nextafter(size, std::numeric_limits<double>::infinity()) - size : 0.0;
}

// Of the first variable without other dimensions that is one of times.
template <typename IsTime>
std::optional<RecordTime> time_by(ReadableFile& file, std::int64_t record, const IsTime& is_time) {
  const std::vector<catalog::Variable>& variables = file.definition().variables;
  const auto time = std::ranges::find_if(
      variables, [&](const catalog::Variable& variable) { return variable.dimensions.empty() && is_time(variable); });
  if (time == variables.end()) return std::nullopt;
  Element stored{};
  file.read(static_cast<int>(time - variables.begin()), record, Box{}, std::span(stored).first(size_of(time->type)));
  catalog::Packing packing = catalog::packing_of(*time);
  // Stores are filled with 0 where nobody says otherwise, and 0 is when many series begin.
  std::erase(packing.missing, Element{});
  const auto value = catalog::unpacked(packing, time->type, stored);
  if (!value) return std::nullopt;
  return RecordTime{*value, text_of(*time, "units"), text_of(*time, "calendar"), spacing_at(time->type, *value)};
}

}  // namespace

std::string text_of(const catalog::Variable& variable, const char* name) {
  const catalog::Attribute* found = catalog::find(variable.attributes, name);
  if (found == nullptr || found->type) return "";
  return found->text.substr(0, found->text.find_last_not_of('\0') + 1);
}

int likeness_to_time(const SaidOfCoordinate& said) {
  if (said.axis == "T" || said.standard_name == "time") return 2;
  if (!says_since(said.units)) return 0;
  return said.name == "time" ? 2 : 1;
}

std::string date_text(const RunStart& start, double time_s) {
  return to_string(date_after(start.calendar, start.reference, time_s));
}

std::optional<double> model_time(const RecordTime& record, const RunStart& start, std::string* why) {
  const auto calendar = calendar_of(record, start);
  if (!calendar) {
    *why = fmt::format("its calendar is '{}', and none of {}; 'cdo setcalendar' or 'ncatted' gives the file such a one",
                       record.calendar, known_calendars);
    return std::nullopt;
  }
  const auto units = parse_time_units(record.units, *calendar);
  if (!units) {
    *why = fmt::format("its times are in '{}', and not in {}; 'cdo setreftime' or 'ncatted' gives the file such units",
                       record.units, forms_of_time_units);
    return std::nullopt;
  }
  const double since_s = record.value * units->seconds;
  if (!is_model_time(*calendar, units->reference, since_s)) {
    *why = fmt::format("it has the time {} {}", record.value, record.units);
    return std::nullopt;
  }
  if (calendar == start.calendar && units->reference == start.reference) return since_s;  // as it is, to the last bit
  const Date date = date_after(*calendar, units->reference, since_s);
  if (start.translates && date.day > days_in_month(start.calendar, date.year, date.month))
    return std::numeric_limits<double>::quiet_NaN();
  return seconds_between(start.calendar, start.reference, date);
}

std::optional<double> own_time(const RecordTime& record, const RunStart& start, std::string* why) {
  const auto time_s = model_time(record, start, why);
  const auto calendar = calendar_of(record, start);
  if (!time_s || start.translates || calendar == start.calendar) return time_s;
  const TimeUnits units = parse_time_units(record.units, *calendar).value();
  const Date date = date_after(*calendar, units.reference, record.value * units.seconds);
  if (agree_on(*calendar, start.calendar, date)) return time_s;
  *why = fmt::format(
      "it is of the calendar '{}', and this run of '{}'; a file that is named below 'forcing' is translated",
      name_of(*calendar), name_of(start.calendar));
  return std::nullopt;
}

std::optional<RecordTime> time_of_record(ReadableFile& file, std::int64_t record) {
  const auto of_records = [&](const catalog::Variable& variable) {
    return variable.has_record && variable.name == file.definition().record_dimension;
  };
  if (const auto time = time_by(file, record, of_records)) return time;
  // Others call them otherwise than their dimension: time(rec), XTIME(Time).
  return time_by(file, record, [](const catalog::Variable& variable) {
    return variable.has_record && says_since(text_of(variable, "units"));
  });
}

std::optional<double> time_of_file(ReadableFile& file, const RunStart& start) {
  const auto time = time_by(file, 0, [](const catalog::Variable& variable) {
    return !variable.has_record && (variable.name == "time" || text_of(variable, "standard_name") == "time");
  });
  if (!time) return std::nullopt;
  std::string why;
  return own_time(*time, start, &why);
}

RecordTimes record_times(ReadableFile& file, const std::string& path, const RunStart& start) {
  RecordTimes times;
  double spacing = 0.0;
  std::optional<TimeUnits> units;
  for (std::int64_t r = 0; r < file.records(); ++r) {
    const auto record = time_of_record(file, r);
    if (!record)
      fail(THALWEG_ERROR_FORMAT, "'{}' has no variable '{}' of numbers that says when its records were", path,
           file.definition().record_dimension);
    std::string why;
    const auto time_s = own_time(*record, start, &why);
    if (!time_s)
      fail(THALWEG_ERROR_FORMAT, "the time of record {} of '{}' cannot be read: {}", told::number(r), path, why);
    times.times_s.push_back(*time_s);
    spacing = std::max(spacing, record->spacing);
    if (r == 0) units = parse_time_units(record->units, calendar_of(*record, start).value_or(start.calendar));
  }
  times.resolution_s = spacing * units.value_or(TimeUnits()).seconds;
  return times;
}

}  // namespace thalweg::formats
