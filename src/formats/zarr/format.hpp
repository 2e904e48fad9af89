// Zarr v3 in the registry of formats.
#pragma once

#include "formats/registry.hpp"

namespace thalweg::formats::zarr {

extern const FormatRow zarr;

}  // namespace thalweg::formats::zarr
