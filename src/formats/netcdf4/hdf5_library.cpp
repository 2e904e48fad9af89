#include "formats/netcdf4/hdf5_library.hpp"

namespace thalweg::formats::netcdf4 {

const PrivateLibrary& hdf5_library() {
  // The library of dimension scales needs HDF5 itself, so one handle finds the names of both.
  static const PrivateLibrary library("parallel HDF5", THALWEG_HDF5_LIBRARY, Lookup::in_program_first,
                                      "use a CDF format or zarr");
  return library;
}

}  // namespace thalweg::formats::netcdf4
