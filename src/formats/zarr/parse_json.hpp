// The text of an object as JSON.
#pragma once

#include <string>

#include "formats/zarr/values.hpp"

namespace thalweg::formats::zarr {

// Also where Python wrote numbers that JSON has not, the bare words NaN, Infinity and -Infinity: they become texts.
// Errors: exceptions of Json.
Json parse_json(const std::string& text);

}  // namespace thalweg::formats::zarr
