// Hints to MPI-IO and PnetCDF: which there are, and what their values may be.
#pragma once

#include <string>
#include <vector>

namespace thalweg::config {

// The value as MPI takes it: "16 MiB" becomes "16777216" where bytes are meant. The values of unknown hints are taken
// as they are. Throws BadValue.
std::string checked_hint(const std::string& name, const std::string& text);

// Of ROMIO, OMPIO, the MPI standard and PnetCDF.
std::vector<std::string> known_hints();

}  // namespace thalweg::config
