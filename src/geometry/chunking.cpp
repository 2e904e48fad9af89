#include "geometry/chunking.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::geometry {
namespace {

// The chunk at a position among the region's, along each dimension.
Index place_in_region(const ChunkGrid& grid, std::int64_t position) {
  const Index counts = grid.counts();
  Index at = Index::filled(counts.rank(), 0);
  for (int d = counts.rank() - 1; d >= 0; --d) {
    at[d] = position % counts[d];
    position /= counts[d];
  }
  return at;
}

// Cells of a chunk along a dimension of which at most so many fit: the last chunk is stored in full, so the size that
// leaves it least empty wins, the largest of equal ones, and none below half of what fits. A little is no matter.
std::int64_t cut_evenly(std::int64_t extent, std::int64_t most) {
  const auto empty_cells = [&](std::int64_t cells) { return divide_up(extent, cells) * cells - extent; };
  std::int64_t best = divide_up(extent, divide_up(extent, most));
  constexpr std::int64_t little = 32;
  for (std::int64_t cells = best - 1; 2 * cells >= most && empty_cells(best) * little > extent; --cells)
    if (empty_cells(cells) < empty_cells(best)) best = cells;
  return best;
}

}  // namespace

Index choose_chunk(const Index& extent, const Index& wanted, std::int64_t element_bytes) {
  Index chunk = extent;
  for (int d = 0; d < extent.rank(); ++d)
    if (wanted[d] > 0) chunk[d] = wanted[d];
  for (int d = 0; d < extent.rank(); ++d) {
    const std::int64_t slice_bytes = chunk.product() / chunk[d] * element_bytes;  // of one index along d
    const std::int64_t most = std::max<std::int64_t>(1, most_chunk_bytes / slice_bytes);
    if (wanted[d] == 0 && chunk[d] > most) chunk[d] = cut_evenly(extent[d], most);
  }
  return chunk;
}

Index ChunkGrid::counts() const {
  return divide_up(region.count, chunk);
}

Box ChunkGrid::box(std::int64_t position) const {
  Box box{place_in_region(*this, position), chunk};
  for (int d = 0; d < chunk.rank(); ++d) {
    const std::int64_t from = box.start[d] * chunk[d];
    box.start[d] = region.start[d] + from;
    box.count[d] = std::min(chunk[d], region.count[d] - from);
  }
  return box;
}

std::vector<std::int64_t> ChunkGrid::touching(const Box& box) const {
  const Index all = counts();
  std::vector<std::int64_t> positions{0};
  for (int d = 0; d < all.rank(); ++d) {
    const std::int64_t first = (box.start[d] - region.start[d]) / chunk[d];
    const std::int64_t last = (box.stop(d) - 1 - region.start[d]) / chunk[d];
    std::vector<std::int64_t> refined;
    for (const std::int64_t position : positions)
      for (std::int64_t i = first; i <= last; ++i) refined.push_back(position * all[d] + i);
    positions = std::move(refined);
  }
  return positions;
}

std::int64_t ChunkGrid::number(std::int64_t position) const {
  const Index at = place_in_region(*this, position);
  std::int64_t number = 0;
  for (int d = 0; d < chunk.rank(); ++d)
    number = number * divide_up(shape[d], chunk[d]) + region.start[d] / chunk[d] + at[d];
  return number;
}

}  // namespace thalweg::geometry
