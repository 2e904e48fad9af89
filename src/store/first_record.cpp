#include "store/first_record.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "config/parse_value.hpp"
#include "store/first_bytes.hpp"
#include "store/netcdf4_first_record.hpp"
#include "store/read_text.hpp"
#include "store/readable_file.hpp"
#include "store/zarr_file.hpp"
#include "store/zarr_values.hpp"

namespace thalweg::store {
namespace {

// Times are sums of steps in floating point.
constexpr double slack_s = 1e-3;

template <typename T>
double value_as(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<double>(value);
}

// bytes: in host order.
std::optional<double> number_of(Type type, std::span<const std::byte> bytes) {
  switch (type) {
    case Type::float64: return value_as<double>(bytes);
    case Type::float32: return value_as<float>(bytes);
    case Type::int64: return value_as<std::int64_t>(bytes);
    case Type::int32: return value_as<std::int32_t>(bytes);
    default: return std::nullopt;
  }
}

std::string text_of_attribute(const catalog::Variable& variable, const char* name) {
  const auto found = std::ranges::find(variable.attributes, name, &catalog::Attribute::name);
  return found == variable.attributes.end() || found->type ? "" : found->text;
}

FoundRecords first_in_cdf(const std::string& path) {
  const std::unique_ptr<ReadableFile> file = open_readable_cdf(path);
  if (file->records() == 0) return {};
  FoundRecords found{.has_records = true};
  const std::vector<catalog::Variable>& variables = file->definition().variables;
  const auto time = std::ranges::find_if(variables, [&](const catalog::Variable& variable) {
    return variable.has_record && variable.dimensions.empty() && variable.name == file->definition().record_dimension;
  });
  if (time == variables.end()) return found;
  std::array<std::byte, 8> bytes{};
  file->read(static_cast<int>(time - variables.begin()), 0, Box{}, std::span(bytes).first(size_of(time->type)));
  if (const auto value = number_of(time->type, bytes))
    found.first = FirstRecord{*value, text_of_attribute(*time, "units"), text_of_attribute(*time, "calendar")};
  return found;
}

FoundRecords first_in_netcdf(const std::string& path) {
  return first_bytes(open_file(path, O_RDONLY), path).is_hdf5() ? first_in_netcdf4(path) : first_in_cdf(path);
}

// The first bytes of a chunk that is stored as it is.
bool read_chunk_begin(const std::string& path, std::span<std::byte> bytes) {
  return read_all(open_file(path, O_RDONLY), path, 0, bytes) == std::ssize(bytes);
}

std::optional<Type> type_of(const std::string& name) {
  for (const Type type : {Type::float64, Type::float32, Type::int64, Type::int32})
    if (name_of(type) == name) return type;
  return std::nullopt;
}

std::optional<double> first_of_array(const std::string& folder, const Json& array) {
  const auto type = type_of(array.at("data_type"));
  for (const Json& codec : array.at("codecs"))
    if (codec.at("name") != "bytes" && codec.at("name") != "crc32c") return std::nullopt;
  std::array<std::byte, 8> bytes{};
  if (!type || !read_chunk_begin(folder + "/c/0", std::span(bytes).first(size_of(*type)))) return std::nullopt;
  if constexpr (std::endian::native != std::endian::little) swap_bytes(bytes, size_of(*type));
  return number_of(*type, bytes);
}

// The time coordinate is the array along its own dimension whose units are since a date.
FoundRecords first_in_store(const std::string& path) {
  const Json root = Json::parse(read_text(path + "/" + zarr_json));
  for (const auto& [name, array] : root.at("consolidated_metadata").at("metadata").items()) {
    const Json attributes = array.value("attributes", Json::object());
    const std::string units = attributes.value("units", "");
    if (array.value("dimension_names", Json::array()) != Json::array({name}) || !parse_time_units(units)) continue;
    if (array.at("shape").at(0).get<std::int64_t>() == 0) return {};
    FoundRecords found{.has_records = true};
    if (const auto value = first_of_array(path + "/" + name, array))
      found.first = FirstRecord{*value, units, attributes.value("calendar", "")};
    return found;
  }
  return {.has_records = true};
}

// Files of others say "gregorian", "365_day"; what is not known here is compared by the run's own calendar.
Calendar calendar_named(const std::string& name, Calendar fallback) {
  if (name == "gregorian") return Calendar::standard;
  if (name == "365_day") return Calendar::noleap;
  if (name == "366_day") return Calendar::all_leap;
  for (const Calendar calendar : {Calendar::standard, Calendar::proleptic_gregorian, Calendar::julian, Calendar::noleap,
                                  Calendar::all_leap, Calendar::day360})
    if (name_of(calendar) == name) return calendar;
  return fallback;
}

Before compare(const FirstRecord& first, const RunStart& start, std::string* why) {
  const auto units = parse_time_units(first.units);
  if (!units) *why = fmt::format("its times are in '{}'", first.units);
  if (!units) return Before::unknown;
  const Calendar calendar = calendar_named(first.calendar, start.calendar);
  if (!is_model_time(calendar, units->reference, first.value * units->seconds)) {
    *why = fmt::format("its first time is {} {}", first.value, first.units);
    return Before::unknown;
  }
  const Date date = date_after(calendar, units->reference, first.value * units->seconds);
  return seconds_between(start.calendar, start.reference, date) < start.time_s - slack_s ? Before::yes : Before::no;
}

}  // namespace

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

Before has_records_before(const std::string& path, const RunStart& start, std::string* why) {
  std::string reason = "it has no time coordinate that is known here";
  Before before = Before::unknown;
  try {
    const FoundRecords found = is_folder(path) ? first_in_store(path) : first_in_netcdf(path);
    if (!found.has_records) return Before::no;
    if (found.first)
      before = compare(*found.first, start, &reason);
    else if (!found.why.empty())
      reason = found.why;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (before == Before::unknown) log::debug("'{}': its first record is not known: {}", path, reason);
  if (why != nullptr) *why = reason;
  return before;
}

}  // namespace thalweg::store
