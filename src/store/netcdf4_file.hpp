// netCDF-4: netCDF-C defines the file, HDF5 allocates chunks and says where they are. HDF5 never touches raw data.
#pragma once

#include <memory>
#include <string>

#include "store/format_file.hpp"

namespace thalweg::store {

std::unique_ptr<FormatFile> create_netcdf4(const std::string& path, const catalog::Definition& definition);

// HDF5 begins when it is first needed, and MPI_Finalize ends it before all that the process has told MPI earlier: who
// still needs it then has it begin first.
void begin_hdf5();

// Cuts all variables with records to the number that all of them have, cuts the file to its exact size, and returns the
// number. Its journal has been replayed. is_own: Thalweg wrote it; else it is not cut, but refused (FORMAT).
std::int64_t cut_netcdf4(const std::string& path, bool is_own);

}  // namespace thalweg::store
