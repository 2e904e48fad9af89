// What the calls of a program say of a file, as settings of its collection. Pure.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "netcdf/declared.hpp"
#include "netcdf/file_name.hpp"

namespace thalweg::netcdf {

struct CallSettings {
  std::string yaml;      // a comment of each line says by which call it came (config::add_collection)
  std::string left_out;  // what the configured format has not, for a warning; "": nothing
};

// Of the file: as the configuration says, or else the mode.
config::Format format_of(const FileName& name, const config::Settings& settings);

// The configuration prevails: where it says a codec, a level or whether bytes are shuffled, the calls' own is left out.
// Errors: FORMAT for compression that the format of nf90_create itself has not.
CallSettings settings_of(const FileName& name, const Declared& declared, const config::Settings& settings);

}  // namespace thalweg::netcdf
