// Extents that a file says: of one that is damaged they may be any numbers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/box.hpp"

namespace thalweg {

// Whether so many cells, of whatever type, have a number of bytes.
inline bool is_countable(const Index& extents) {
  std::int64_t bytes = 8;
  for (const std::int64_t extent : extents)
    if (extent < 0 || __builtin_mul_overflow(bytes, std::max<std::int64_t>(1, extent), &bytes)) return false;
  return true;
}

}  // namespace thalweg
