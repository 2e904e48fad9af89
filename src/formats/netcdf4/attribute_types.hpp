// Types of HDF5 for Thalweg's, and how netCDF-C stores attributes in them.
#pragma once

#include "catalog/definition.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"

namespace thalweg::formats::netcdf4 {

// HDF5's own identifier of a number as this machine has it; of a character, one of a text.
hid_t native_type(Type type);

// A text is one string of its length, numbers are an array. Both are new identifiers of the caller's; negative: HDF5
// failed.
hid_t attribute_type(const catalog::Attribute& attribute);
hid_t attribute_space(const catalog::Attribute& attribute);

}  // namespace thalweg::formats::netcdf4
