// Boxes of a row-major array as stretches that are read at once, with what lies between their rows. Pure arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/box.hpp"
#include "base/box_runs.hpp"

namespace thalweg {

// Cells from the first to the last one of a box, in the array with these strides.
inline std::int64_t span_of(const Index& count, const Index& stride, int from = 0) {
  std::int64_t cells = 1;
  for (int d = from; d < count.rank(); ++d) cells += (count[d] - 1) * stride[d];
  return cells;
}

// Calls use(box) for each of the boxes that `part` of the array is cut into, in order: together, one behind the other,
// they are the row-major array of the part. Between rows of one lie at most most_gap cells, and where any do, it spans
// at most most_cells or one row. strides: of the array, in cells.
template <typename Use>
void for_each_span(const Box& part, const Index& strides, std::int64_t most_gap, std::int64_t most_cells, Use&& use) {
  if (part.empty()) return;
  const int rank = part.rank();
  int whole_from = rank;  // dimensions from here on are whole in each box
  std::int64_t span = 1, cells = 1;
  while (whole_from > 0) {
    const int d = whole_from - 1;
    const std::int64_t longer = span_of(part.count, strides, d);
    const bool is_too_long = longer > most_cells && longer != cells * part.count[d];
    if (part.count[d] > 1 && (strides[d] - span > most_gap || is_too_long)) break;
    cells *= part.count[d];
    span = longer;
    whole_from = d;
  }
  Index rows = part.count;  // the extents of a box
  for (int d = 0; d < whole_from; ++d) rows[d] = 1;
  if (whole_from > 0 && strides[whole_from - 1] - span <= most_gap)
    rows[whole_from - 1] =
        std::clamp<std::int64_t>((most_cells - span) / strides[whole_from - 1] + 1, 1, part.count[whole_from - 1]);
  Index at = part.start;
  for (;;) {
    Box box{at, rows};
    for (int d = 0; d < rank; ++d) box.count[d] = std::min(rows[d], part.stop(d) - at[d]);
    use(box);
    int d = whole_from - 1;
    for (; d >= 0 && (at[d] += rows[d]) >= part.stop(d); --d) at[d] = part.start[d];
    if (d < 0) return;
  }
}

}  // namespace thalweg
