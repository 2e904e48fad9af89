// Turns error codes of the libraries into exceptions. main ends the whole launch on any of them.
#pragma once

#include <netcdf.h>
#include <pnetcdf.h>
#include <thalweg.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace bench {

inline void check_system(bool good, const std::string& what) {
  if (!good) throw std::runtime_error(what + ": " + std::strerror(errno));
}

inline void check_netcdf(int code, const char* what) {
  if (code != NC_NOERR) throw std::runtime_error(std::string(what) + ": " + nc_strerror(code));
}

inline void check_pnetcdf(int code, const char* what) {
  if (code != NC_NOERR) throw std::runtime_error(std::string(what) + ": " + ncmpi_strerror(code));
}

inline void check_thalweg(int code) {
  if (code != THALWEG_OK) throw std::runtime_error(thalweg_error_text());
}

}  // namespace bench
