// The model's own procedure in the registry of formats.
#pragma once

#include "formats/registry.hpp"

namespace thalweg::formats::callback {

extern const FormatRow user;

}  // namespace thalweg::formats::callback
