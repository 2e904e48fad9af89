#include "geometry/stretch_chunks.hpp"

#include <algorithm>
#include <vector>

namespace thalweg::geometry {
namespace {

// Rows are cut here, so what is slower has one index in a chunk.
Index cut_at(const Index& sizes, int dimension, std::int64_t rows) {
  Index chunk = sizes;
  for (int d = 0; d < dimension; ++d) chunk[d] = 1;
  chunk[dimension] = rows;
  return chunk;
}

// The last chunk along the slowest dimension may be less than full. Behind it another row begins where there is a
// slower one, so that chunks would no longer be equal stretches.
bool may_cut(const Index& sizes, int dimension, std::int64_t rows) {
  return sizes[dimension] % rows == 0 ||
         std::all_of(sizes.begin(), sizes.begin() + dimension, [](std::int64_t size) { return size == 1; });
}

// Rows of a chunk of at most so many, and of one of at least so many.
std::vector<std::int64_t> rows_near(const Index& sizes, int dimension, std::int64_t rows) {
  std::int64_t below = std::clamp<std::int64_t>(rows, 1, sizes[dimension]);
  std::int64_t above = std::clamp<std::int64_t>(rows + 1, 1, sizes[dimension]);
  while (!may_cut(sizes, dimension, below)) --below;
  while (!may_cut(sizes, dimension, above)) ++above;
  return {below, above};
}

}  // namespace

Index stretch_chunk(const Index& sizes, std::int64_t points) {
  std::optional<Index> below, above;
  for (int d = 0; d < sizes.rank(); ++d) {
    const std::int64_t row_points = cut_at(sizes, d, 1).product();
    for (const std::int64_t rows : rows_near(sizes, d, points / row_points)) {
      const Index chunk = cut_at(sizes, d, rows);
      const std::int64_t size = chunk.product();
      if (size <= points && (!below || size > below->product())) below = chunk;
      if (size >= points && (!above || size < above->product())) above = chunk;
    }
  }
  return below && (!above || 2 * below->product() >= points) ? *below : *above;
}

std::optional<Index> completed_stretch(const Index& sizes, const Index& said) {
  int last = -1;  // that is cut
  for (int d = 0; d < sizes.rank(); ++d)
    if (said[d] > 0 && said[d] < sizes[d]) last = d;
  if (last < 0) {  // Each is whole, or nothing is said of it; what is faster than one that is whole is whole, too.
    Index completed = said;
    for (int d = 1; d < sizes.rank(); ++d)
      if (completed[d - 1] > 0) completed[d] = sizes[d];
    return completed;
  }
  const Index chunk = cut_at(sizes, last, said[last]);
  for (int d = 0; d < last; ++d)
    if (said[d] > 0 && said[d] != chunk[d]) return std::nullopt;
  return may_cut(sizes, last, said[last]) ? std::optional(chunk) : std::nullopt;
}

}  // namespace thalweg::geometry
