// The first value of the record coordinate of a netCDF-4 file that may be damaged, read with HDF5 in the process of the
// model.
#pragma once

#include <string>

#include "formats/found_records.hpp"

namespace thalweg::formats::netcdf4 {

// HDF5 checks the metadata of netCDF-4 files by checksums, but not the global heap, where it keeps strings of variable
// length and the references between variables and dimensions: from a damaged one it reads beyond its memory. So this
// looks at nothing that lies there. Opened are the file and the dimension scales; read are attributes of fixed length,
// as netCDF-C writes texts, and one value of a plain type behind filters that check what they get. Units or a calendar
// of variable length (NC_STRING) are not read, and the first record is not known then. A virtual coordinate, as that of
// a set of files, is asked for in the first file of the set, because its mapping lies in that heap.
// Errors: STORAGE, FORMAT.
FoundRecords first_in_netcdf4(const std::string& path);

}  // namespace thalweg::formats::netcdf4
