// Which part of its fields a collection has, as it stands in the configuration.
#pragma once

#include "config/region_settings.hpp"
#include "config/values.hpp"

namespace thalweg::config {

Values<std::vector<PartOfDimension>> region_or_none();

// "{index: {from: 10, to: 50}}"
std::string text_of(const PartOfDimension& part);

}  // namespace thalweg::config
