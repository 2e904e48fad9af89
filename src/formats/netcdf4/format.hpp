// netCDF-4 and its classic model in the registry of formats.
#pragma once

#include "formats/registry.hpp"

namespace thalweg::formats::netcdf4 {

extern const FormatRow netcdf4, netcdf4_classic;

}  // namespace thalweg::formats::netcdf4
