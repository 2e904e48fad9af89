#include "store/library_file.hpp"

#include "store/cdf_by_library.hpp"
#include "store/netcdf4_by_library.hpp"

namespace thalweg::store {

// Of the formats that libraries write; for the others the engine is refused (config/check.cpp).
bool is_netcdf4(config::Format format) {
  return format == config::Format::netcdf4 || format == config::Format::netcdf4_classic;
}

std::unique_ptr<LibraryFile> create_by_library(const std::string& path, const catalog::Definition& definition,
                                               const LibraryAccess& access) {
  if (is_netcdf4(definition.format)) return create_netcdf4_by_library(path, definition, access);
  return create_cdf_by_library(path, definition, access);
}

std::string library_of(config::Format format) {
  return is_netcdf4(format) ? "netCDF-4" : "PnetCDF";
}

std::string advice_on_path(const std::string& path) {
  if (path.find(':') == std::string::npos) return "";
  return "; MPI-IO takes what comes before the ':' for the name of a file system: choose another name for 'file'";
}

}  // namespace thalweg::store
