// Boxes and extents with the record dimension before the others, as arrays in files have it. Pure arithmetic.
#pragma once

#include <span>

#include "base/box.hpp"

namespace thalweg::formats {

inline Box with_record(const Box& box, std::int64_t record) {
  Box whole{{record}, {1}};
  for (int d = 0; d < box.rank(); ++d) {
    whole.start.push_back(box.start[d]);
    whole.count.push_back(box.count[d]);
  }
  return whole;
}

inline Index without_record(const Index& index) {
  return Index(std::span(index.begin(), index.end()).subspan(1));
}

}  // namespace thalweg::formats
