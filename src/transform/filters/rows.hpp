// The rows of the registry, each in a file of this folder.
#pragma once

#include <array>

#include "transform/filter.hpp"

namespace thalweg::transform {

extern const Filter shuffling, zstd, deflate, gzip, blosc, fletcher32_sum, crc32c_sum;

// Codecs in the order of the reference.
inline constexpr std::array all_filters = {&shuffling, &zstd, &deflate, &gzip, &blosc, &fletcher32_sum, &crc32c_sum};

}  // namespace thalweg::transform
