// The model's own procedure in the registry of formats.
#pragma once

#include "store/format_row.hpp"

namespace thalweg::store {

extern const FormatRow user;

}  // namespace thalweg::store
