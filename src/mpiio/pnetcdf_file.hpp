// Files written by PnetCDF.
#pragma once

#include "mpiio/mpiio_file.hpp"

namespace thalweg::store {

extern const Library pnetcdf_by_library;

}  // namespace thalweg::store
