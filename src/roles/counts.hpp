// MPI counts in int: what is longer is sent in parts, or refused.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"

namespace thalweg::roles {

// A message longer than this goes in parts.
constexpr std::size_t part_bytes = std::size_t{1} << 30;

// what: "words of a piece of a field".
inline int count_of(std::int64_t count, const char* what) {
  if (count < 0 || count > INT_MAX)
    fail(
        THALWEG_ERROR_SHAPE,
        "{} {} in one message are more than MPI counts ({}): spread the field over more ranks or nodes, or cut it into "
        "more variables",
        count, what, INT_MAX);
  return static_cast<int>(count);
}

// Calls send(first, count) for each part of so many elements; for none of no elements.
template <typename Send>
void in_parts(std::size_t elements, std::size_t most, const Send& send) {
  for (std::size_t first = 0; first < elements; first += most)
    send(first, static_cast<int>(std::min(most, elements - first)));
}

}  // namespace thalweg::roles
