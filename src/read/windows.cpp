#include "read/windows.hpp"

#include <algorithm>

#include "base/box_runs.hpp"

namespace thalweg::read {
namespace {

Index units_of(const Extents& extents) {
  Index unit = extents.chunk;
  const JoinedDimensions& joined = extents.joined;
  for (int d = 0; d < unit.rank(); ++d)
    unit[d] = std::clamp<std::int64_t>(unit[d], 1, std::max<std::int64_t>(extents.shape[d], 1));
  if (joined.any())
    for (int d = joined.first() + 1; d < joined.first() + joined.sizes().rank(); ++d) unit[d] = extents.shape[d];
  return unit;
}

Box in_cells(const Box& units, const Index& unit, const Index& shape) {
  Box cells = units;
  for (int d = 0; d < units.rank(); ++d) {
    cells.start[d] = units.start[d] * unit[d];
    cells.count[d] = std::min(units.count[d] * unit[d], shape[d] - cells.start[d]);
  }
  return cells;
}

Box joined_box(const Box& box, const JoinedDimensions& joined) {
  if (!joined.any()) return box;
  Box result{joined.joined(box.start), joined.joined(box.count)};
  result.start[joined.first()] = box.start[joined.first()] * joined.row_points();
  return result;
}

// The chunks that a box has cells of.
Box units_in(const Box& box, const Index& unit) {
  Box units = box;
  for (int d = 0; d < box.rank(); ++d) {
    units.start[d] = box.start[d] / unit[d];
    units.count[d] = divide_up(box.stop(d), unit[d]) - units.start[d];
  }
  return units;
}

std::vector<Window> windows_in(const Box& part, const Extents& extents, std::int64_t most_cells) {
  std::vector<Window> windows;
  if (part.empty()) return windows;
  const Index unit = units_of(extents);
  const Box units = units_in(part, unit);
  for (Box some : cut_into_runs(units.count, std::max<std::int64_t>(1, most_cells / unit.product()))) {
    some = moved(some, units.start, 1);
    if (const auto cells = intersect(in_cells(some, unit, extents.shape), part))
      windows.push_back({0, *cells, joined_box(*cells, extents.joined)});
  }
  return windows;
}

}  // namespace

std::vector<Window> windows_of(const Extents& extents, std::int64_t most_cells, int readers) {
  std::vector<Window> windows = windows_in(whole(extents.shape), extents, most_cells);
  if (windows.empty()) return windows;
  const std::int64_t each = divide_up(std::ssize(windows), std::int64_t{readers});
  for (std::int64_t w = 0; w < std::ssize(windows); ++w)
    windows[static_cast<std::size_t>(w)].reader = static_cast<int>(w / each);
  return windows;
}

std::vector<Window> windows_within(const Box& part, const Extents& extents, std::int64_t most_cells) {
  return windows_in(part, extents, most_cells);
}

std::int64_t rounds_of(const std::vector<Window>& windows, int readers) {
  return divide_up(std::ssize(windows), std::int64_t{readers});
}

}  // namespace thalweg::read
