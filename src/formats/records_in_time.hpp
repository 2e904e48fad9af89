// Records of a file whose dimension of time does not grow: tools that write a file at once (xarray's to_netcdf) give it
// a size, and its time coordinate alone says that it is the dimension of records (CF 1.12, §4.4).
#pragma once

#include <memory>

#include "formats/readable_file.hpp"

namespace thalweg::formats {

// The file as it is where it has a record dimension, or no coordinate of time at its root. Otherwise a view of it in
// which the dimension of that coordinate is the record dimension, of the variables whose first one it is; of others it
// stays a dimension of this size.
std::unique_ptr<ReadableFile> with_records_in_time(std::unique_ptr<ReadableFile> file);

}  // namespace thalweg::formats
