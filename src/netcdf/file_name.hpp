// A file of a program that is to be made.
#pragma once

#include <string>

namespace thalweg::netcdf {

struct FileName {
  std::string path;
  std::string format;  // of the configuration's names
  int format_number;   // netcdf.h, NC_FORMAT_*
  bool replaces = true;

  // By which its settings are found in a configuration: the name without its end and its number.
  std::string collection() const;
};

}  // namespace thalweg::netcdf
