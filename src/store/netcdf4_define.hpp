// Defines a netCDF-4 file with netCDF-C: everything a reader of netCDF expects, no data.
#pragma once

#include <string>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::store {

struct Netcdf4Names {
  std::vector<std::string> variables;  // HDF5 dataset of each variable
  std::string record_scale;            // of the record dimension, "" if it is one of the variables, or there is none
};

// Creates or overwrites the file at library_path; real_path is for messages.
Netcdf4Names define_netcdf4(const std::string& library_path, const std::string& real_path,
                            const catalog::Definition& definition);

}  // namespace thalweg::store
