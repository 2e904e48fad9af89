// Files that another library has made in the registry of formats.
#pragma once

#include "formats/registry.hpp"

namespace thalweg::formats::placed {

extern const FormatRow placed;

}  // namespace thalweg::formats::placed
