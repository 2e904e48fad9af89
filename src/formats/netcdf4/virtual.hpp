// A netCDF-4 file whose datasets are HDF5 virtual datasets, that is, maps into other files; it holds no values, so that
// it can be made before these have any, or exist.
#pragma once

#include <string>
#include <vector>

#include "catalog/definition.hpp"
#include "formats/virtual_source.hpp"

namespace thalweg::formats::netcdf4 {

// Creates the file at path (which must not exist). Errors: STORAGE, FORMAT. Needs MPI to be initialised.
void create_virtual_netcdf4(const std::string& path, const catalog::Definition& whole,
                            const std::vector<VirtualSources>& sources);

}  // namespace thalweg::formats::netcdf4
