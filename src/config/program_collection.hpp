// Whether a configured collection is for netCDF's calls, for the program's own, or for both.
#pragma once

#include <string>

#include "config/settings.hpp"

namespace thalweg::config {

// netCDF's calls write the collection. Errors: CONFIG for keys that it has itself and that say other things than they.
void require_for_calls(const Settings& settings, const std::string& name);
// The program opens the collection itself. Errors: CONFIG for what the defaults say of it and that does not go
// together, which is no matter where netCDF's calls write it.
void require_for_opening(const Settings& settings, const std::string& name);

}  // namespace thalweg::config
