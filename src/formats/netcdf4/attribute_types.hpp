// How netCDF-C stores attributes in HDF5.
#pragma once

#include "catalog/definition.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"

namespace thalweg::formats::netcdf4 {

// A text is one string of its length, numbers are an array. Both are new identifiers of the caller's; negative: HDF5
// failed.
hid_t attribute_type(const catalog::Attribute& attribute);
hid_t attribute_space(const catalog::Attribute& attribute);

}  // namespace thalweg::formats::netcdf4
