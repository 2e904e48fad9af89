// Codecs as filters of HDF5 in this process: netCDF-C defines only variables whose filters HDF5 knows, and a model that
// reads its own files needs no plug-in then.
#pragma once

#include <string>

namespace thalweg::formats::netcdf4 {

// Registers what is missing. Cheap, so that it may be called for each file: a model may close the HDF5 library.
void make_filters_known();

// Here, or in a plug-in that HDF5 finds.
bool is_known_filter(unsigned id);

// "32004 (lz4)", by its number alone where that is all that is known.
std::string filter_words(unsigned id);

}  // namespace thalweg::formats::netcdf4
