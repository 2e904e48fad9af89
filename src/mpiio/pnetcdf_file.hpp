// Files written by PnetCDF.
#pragma once

#include "mpiio/mpiio_file.hpp"

namespace thalweg::mpiio {

extern const Library pnetcdf_by_library;

}  // namespace thalweg::mpiio
