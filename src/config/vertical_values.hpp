// Levels of a coordinate at which a collection has its fields, as they stand in the configuration.
#pragma once

#include "config/values.hpp"
#include "config/vertical_settings.hpp"

namespace thalweg::config {

Values<VerticalSettings> vertical_or_none();

}  // namespace thalweg::config
