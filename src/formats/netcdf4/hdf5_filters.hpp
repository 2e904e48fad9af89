// Codecs as filters of HDF5 in this process: netCDF-C defines only variables whose filters HDF5 knows, and a model that
// reads its own files needs no plug-in then.
#pragma once

namespace thalweg::formats::netcdf4 {

// Registers what is missing. Cheap, so that it may be called for each file: a model may close the HDF5 library.
void make_filters_known();

}  // namespace thalweg::formats::netcdf4
