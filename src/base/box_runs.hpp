// Boxes as runs of consecutive cells of a row-major array. Pure arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/box.hpp"

namespace thalweg {

// Calls use(offset, cells) for each run of `inner` in the row-major array of `outer`, which contains it, in order.
// Offsets are in cells. Together the runs are the row-major array of `inner`.
template <typename Use>
void for_each_run(const Box& outer, const Box& inner, Use&& use) {
  if (inner.empty()) return;
  int joined = outer.rank();  // dimensions from here on make one run
  while (joined > 0 && inner.count[joined - 1] == outer.count[joined - 1]) --joined;
  joined = std::max(joined - 1, 0);
  const Index stride = contiguous_strides(outer.count, 1);
  std::int64_t cells = 1;
  for (int d = joined; d < outer.rank(); ++d) cells *= inner.count[d];
  Index at = Index::filled(outer.rank(), 0);
  for (std::int64_t left = inner.cells() / cells; left > 0; --left) {
    std::int64_t offset = 0;
    for (int d = 0; d < outer.rank(); ++d) offset += (inner.start[d] - outer.start[d] + at[d]) * stride[d];
    use(offset, cells);
    for (int d = joined - 1; d >= 0 && ++at[d] == inner.count[d]; --d) at[d] = 0;
  }
}

// Cuts the whole of a shape, in order, into boxes of at most that many cells, each of which is one run.
inline std::vector<Box> cut_into_runs(const Index& shape, std::int64_t most_cells) {
  int cut = 0;  // the dimension that is cut; those after it stay whole, those before it are taken one by one
  std::int64_t after = shape.product();
  for (; cut < shape.rank(); ++cut) {
    after /= std::max<std::int64_t>(shape[cut], 1);
    if (after <= most_cells) break;
  }
  std::vector<Box> boxes;
  if (whole(shape).empty()) return boxes;
  if (shape.rank() == 0) return {whole(shape)};
  const std::int64_t rows = std::max<std::int64_t>(most_cells / after, 1);
  Box box = whole(shape);
  for (int d = 0; d < cut; ++d) box.count[d] = 1;
  for (;;) {
    for (box.start[cut] = 0; box.start[cut] < shape[cut]; box.start[cut] += rows) {
      box.count[cut] = std::min(rows, shape[cut] - box.start[cut]);
      boxes.push_back(box);
    }
    int d = cut - 1;
    for (; d >= 0 && ++box.start[d] == shape[d]; --d) box.start[d] = 0;
    if (d < 0) return boxes;
  }
}

}  // namespace thalweg
