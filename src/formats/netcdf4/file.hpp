// netCDF-4: netCDF-C defines the file, HDF5 allocates chunks and says where they are. HDF5 never touches raw data.
#pragma once

#include <memory>
#include <string>

#include "formats/format_file.hpp"
#include "formats/readable_file.hpp"
#include "formats/result_file.hpp"

namespace thalweg::formats::netcdf4 {

std::unique_ptr<FormatFile> create_netcdf4(const std::string& path, const catalog::Definition& definition,
                                           config::Durability durability);
std::unique_ptr<ResultFile> create_result_netcdf4(const std::string& path, const catalog::Definition& definition,
                                                  std::int64_t records);
std::unique_ptr<ReadableFile> open_readable_netcdf4(const std::string& path,
                                                    Unreadable unreadable = Unreadable::refuse);

// HDF5 begins when it is first needed, and MPI_Finalize ends it before all that the process has told MPI earlier: who
// still needs it then has it begin first.
void begin_hdf5();

// Replays the journal, cuts all variables with records to the number that all of them have, cuts the file to its exact
// size, and returns the number. One that neither a journal nor had_owner shows to be Thalweg's is not cut, but refused
// (FORMAT).
std::int64_t recover_netcdf4(const std::string& path, bool had_owner);

}  // namespace thalweg::formats::netcdf4
