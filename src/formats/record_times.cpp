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

double spacing_at(Type type, double value) {
  const double size = std::abs(value);
  if (type == Type::float32)
    return std::nextafter(static_cast<float>(size), std::numeric_limits<float>::infinity()) - static_cast<float>(size);
  return type == Type::float64 ? std::nextafter(size, std::numeric_limits<double>::infinity()) - size : 0.0;
}

// A variable of numbers without other dimensions than that of records, whose values are times.
class TimeCoordinate {
 public:
  TimeCoordinate(const catalog::Variable& variable, int number)
      : variable_(&variable), number_(number), packing_(catalog::packing_of(variable)) {
    // Stores are filled with 0 where nobody says otherwise, and 0 is when many series begin.
    std::erase(packing_.missing, Element{});
  }

  // Of that many records from the first one on; of a variable without them, one.
  std::vector<double> values(ReadableFile& file, std::int64_t first, std::int64_t count) const {
    const std::size_t bytes = size_of(variable_->type);
    std::vector<std::byte> stored(static_cast<std::size_t>(count) * bytes);
    if (variable_->has_record)
      file.read_records(number_, first, stored);
    else
      file.read(number_, 0, Box{}, stored);
    std::vector<double> values;
    for (std::size_t at = 0; at < stored.size(); at += bytes) {
      Element element{};
      std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(at), bytes, element.begin());
      values.push_back(catalog::unpacked(packing_, variable_->type, element).value());
    }
    return values;
  }
  RecordTime time(ReadableFile& file, std::int64_t record) const {
    const double value = values(file, record, 1).front();
    return {value, units(), calendar(), spacing(value)};
  }

  std::string units() const { return text_of(*variable_, "units"); }
  std::string calendar() const { return text_of(*variable_, "calendar"); }
  double spacing(double value) const { return spacing_at(variable_->type, value); }

 private:
  const catalog::Variable* variable_;
  int number_;
  catalog::Packing packing_;
};

template <typename IsTime>
std::optional<TimeCoordinate> coordinate_by(const ReadableFile& file, const IsTime& is_time) {
  const std::vector<catalog::Variable>& variables = file.definition().variables;
  const auto time = std::ranges::find_if(
      variables, [&](const catalog::Variable& variable) { return variable.dimensions.empty() && is_time(variable); });
  if (time == variables.end() || time->type == Type::character) return std::nullopt;
  return TimeCoordinate(*time, static_cast<int>(time - variables.begin()));
}

std::optional<TimeCoordinate> coordinate_of_records(const ReadableFile& file) {
  const auto of_records = [&](const catalog::Variable& variable) {
    return variable.has_record && variable.name == file.definition().record_dimension;
  };
  if (auto time = coordinate_by(file, of_records)) return time;
  // Others call them otherwise than their dimension: time(rec), XTIME(Time).
  return coordinate_by(file, [](const catalog::Variable& variable) {
    return variable.has_record && says_since(text_of(variable, "units"));
  });
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
  const auto scale = TimeScale::understood(record.units, record.calendar, start, why);
  return scale ? scale->model_time(record.value, why) : std::nullopt;
}

std::optional<RecordTime> time_of_record(ReadableFile& file, std::int64_t record) {
  const auto coordinate = coordinate_of_records(file);
  return coordinate ? std::optional(coordinate->time(file, record)) : std::nullopt;
}

std::optional<double> time_of_file(ReadableFile& file, const RunStart& start) {
  const auto coordinate = coordinate_by(file, [](const catalog::Variable& variable) {
    return !variable.has_record && (variable.name == "time" || text_of(variable, "standard_name") == "time");
  });
  if (!coordinate) return std::nullopt;
  std::string why;
  const auto scale = TimeScale::understood(coordinate->units(), coordinate->calendar(), start, &why);
  return scale ? scale->own_time(coordinate->values(file, 0, 1).front(), &why) : std::nullopt;
}

RecordTimes record_times(ReadableFile& file, const std::string& path, const RunStart& start) {
  if (file.records() == 0) return {};
  const auto coordinate = coordinate_of_records(file);
  if (!coordinate)
    fail(THALWEG_ERROR_FORMAT, "'{}' has no variable '{}' of numbers that says when its records were", path,
         file.definition().record_dimension);
  std::string why;
  const auto refuse = [&](std::int64_t record) {
    fail(THALWEG_ERROR_FORMAT, "the time of record {} of '{}' cannot be read: {}", told::number(record), path, why);
  };
  const auto scale = TimeScale::understood(coordinate->units(), coordinate->calendar(), start, &why);
  if (!scale) refuse(0);
  RecordTimes times;
  double spacing = 0.0;
  for (const double value : coordinate->values(file, 0, file.records())) {
    const auto time_s = scale->own_time(value, &why);
    if (!time_s) refuse(std::ssize(times.times_s));
    times.times_s.push_back(*time_s);
    spacing = std::max(spacing, coordinate->spacing(value));
  }
  times.resolution_s = spacing * scale->unit_s();
  return times;
}

}  // namespace thalweg::formats
