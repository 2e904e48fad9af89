// What settings have to say that is no fault.
#pragma once

#include "config/settings.hpp"

namespace thalweg::config {

// By one rank: all have the same.
void log_notes(const Settings& settings);

}  // namespace thalweg::config
