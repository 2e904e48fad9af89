// Defines a netCDF-4 file with netCDF-C: everything a reader of netCDF expects, no data.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::formats::netcdf4 {

struct Netcdf4Header {
  std::vector<std::byte> bytes;        // the file as netCDF-C leaves it
  std::vector<std::string> variables;  // HDF5 dataset of each variable
  std::string record_scale;            // of the record dimension, "" if it is one of the variables, or there is none
};

// Makes the file in memory; path is for messages.
Netcdf4Header define_netcdf4(const std::string& path, const catalog::Definition& definition);

// Makes the file at path, which must not exist, from these bytes. Errors: STORAGE.
void write_header(const std::string& path, const Netcdf4Header& header, const config::Striping& striping);

// The same file at path, for the ranks of comm, which write into it by netCDF-C: it stays open, and its id is returned.
// Collective. Errors: STORAGE, FORMAT.
int define_netcdf4_for_all(const std::string& path, const catalog::Definition& definition, MPI_Comm comm,
                           MPI_Info info);

// The same file at path, which must not exist, for netCDF-C to write into: it stays open, and its id is returned. One
// that is opened later is another thing: netCDF-C rounds what is written to variables that say they were rounded, and
// what is rounded twice is not what is rounded once. Errors: STORAGE, FORMAT.
int define_netcdf4_on_storage(const std::string& path, const catalog::Definition& definition);

}  // namespace thalweg::formats::netcdf4
