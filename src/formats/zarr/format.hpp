// Zarr v3 in the registry of formats.
#pragma once

#include "formats/registry.hpp"

namespace thalweg::store {

extern const FormatRow zarr;

}  // namespace thalweg::store
