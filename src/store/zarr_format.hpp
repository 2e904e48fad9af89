// Zarr v3 in the registry of formats.
#pragma once

#include "store/format_row.hpp"

namespace thalweg::store {

extern const FormatRow zarr;

}  // namespace thalweg::store
