// When the first record of a complete file was: what a run that goes on from a later time would destroy by replacing
// it.
#pragma once

#include <optional>
#include <string>

#include "formats/record_times.hpp"

namespace thalweg::formats {

// What the file or store at a path says of it; nothing of a path that no format is known by. Errors: what it meets
// there.
FoundRecords first_record_of(const std::string& path);

// The model time of it; nothing: there is no such file or store, or it is not complete, or says no time.
std::optional<double> first_time_of(const std::string& path, const RunStart& start);

enum class Before { no, yes, unknown };

// Whether the file or store at path has records from before the start of the run, by the first value of its time
// coordinate (CF conventions 1.8, section 4.4). unknown: it is no netCDF file and no Zarr store, or its time cannot be
// read here, which why is told. Throws nothing that it meets in the file; and a damaged one harms nobody
// (formats/netcdf4/first_record.hpp).
Before has_records_before(const std::string& path, const RunStart& start, std::string* why = nullptr);

}  // namespace thalweg::formats
