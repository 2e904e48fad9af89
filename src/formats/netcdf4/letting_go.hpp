// A file that a library has open for reading, by HDF5, is let go of before the library closes it.
//
// Where the system refuses to close the file (a client of Lustre that was evicted, a fault of the disk), HDF5 goes on
// using what it has freed, and netCDF-C asks it for what it has open still: the process ends. Nothing is lost by such a
// refusal when a file was only read. So HDF5 is given /dev/null to close.
#pragma once

#include <cstdint>
#include <vector>

namespace thalweg::formats::netcdf4 {

// Whoever calls these holds a LibraryTurn.

// HDF5's ids of all files that it has open, ascending.
std::vector<std::int64_t> files_open_now();

// The one that is open and was not then; -1: none, or several.
std::int64_t file_opened_since(const std::vector<std::int64_t>& then);

// The next that is done with the file is to close it. Nothing is done if others have it open by HDF5 as well, or if it
// is not read by HDF5's usual driver.
void let_go_of_storage(std::int64_t file);

}  // namespace thalweg::formats::netcdf4
