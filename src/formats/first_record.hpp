// When the first record of a complete file was: what a run that goes on from a later time would destroy by replacing
// it.
#pragma once

#include <optional>
#include <string>

#include "base/calendar.hpp"

namespace thalweg::formats {

// The model time at which a run began.
struct RunStart {
  Calendar calendar = Calendar::standard;
  Date reference{};
  double time_s = 0.0;  // since the reference
};

enum class Before { no, yes, unknown };

// Whether the file or store at path has records from before the start of the run, by the first value of its time
// coordinate (CF conventions 1.8, section 4.4). unknown: it is no netCDF file and no Zarr store, or its time cannot be
// read here, which why is told. Throws nothing that it meets in the file; and a damaged one harms nobody
// (formats/netcdf4/first_record.hpp).
Before has_records_before(const std::string& path, const RunStart& start, std::string* why = nullptr);

// "hours since 2000-01-01 00:00:00" as seconds for each unit, and the date; nothing: it is no such text.
struct TimeUnits {
  double seconds = 1.0;
  Date reference{};
};
std::optional<TimeUnits> parse_time_units(const std::string& text);

}  // namespace thalweg::formats
