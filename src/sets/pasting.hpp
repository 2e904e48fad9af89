// Boxes of values put together. Pure.
#pragma once

#include <cstring>
#include <span>

#include "base/box_runs.hpp"
#include "base/element_bits.hpp"

namespace thalweg::sets {

inline Box shifted(Box box, const Index& origin) {
  for (int d = 0; d < box.rank(); ++d) box.start[d] -= origin[d];
  return box;
}

// Puts the values of an inner box to their places in the values of an outer one.
inline void paste(const Box& outer, std::span<std::byte> values, const Box& inner, std::span<const std::byte> piece,
                  std::int64_t element_bytes) {
  for_each_run(outer, inner, [&](std::int64_t offset, std::int64_t cells) {
    const auto bytes = static_cast<std::size_t>(cells * element_bytes);
    std::memcpy(values.data() + offset * element_bytes, piece.data(), bytes);
    piece = piece.subspan(bytes);
  });
}

inline void fill(std::span<std::byte> values, const Element& element, std::size_t element_bytes) {
  for (std::size_t at = 0; at < values.size(); at += element_bytes)
    std::memcpy(values.data() + at, element.data(), element_bytes);
}

}  // namespace thalweg::sets
