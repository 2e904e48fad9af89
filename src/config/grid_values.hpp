// How another grid is written in a configuration.
#pragma once

#include "config/grid_settings.hpp"
#include "config/values.hpp"

namespace thalweg::config {

Values<GridSettings> grid_or_none();

}  // namespace thalweg::config
