// Files written by parallel netCDF-C.
#pragma once

#include "mpiio/mpiio_file.hpp"

namespace thalweg::mpiio {

extern const Library netcdf4_by_library;

}  // namespace thalweg::mpiio
