#include "read/windows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/box_runs.hpp"

namespace thalweg::read {
namespace {

// Where chunks lie along one dimension: they begin at cells of which the number, with the shift, is a multiple of the
// unit.
struct Chunks {
  std::int64_t unit = 1;
  std::int64_t shift = 0;
};

// Of every step-th cell, as many chunks as end together with such a cell are one.
Chunks chunks_of(const Stretch& stretch, std::int64_t chunk) {
  const std::int64_t unit = std::max<std::int64_t>(chunk, 1) / std::gcd(std::max<std::int64_t>(chunk, 1), stretch.step);
  const std::int64_t shift = stretch.first % (unit * stretch.step) / stretch.step - stretch.at;
  return {unit, (shift % unit + unit) % unit};
}

bool is_joined_whole(const Extents& extents, int d) {
  const JoinedDimensions& joined = extents.joined;
  return joined.any() && d > joined.first() && d < joined.first() + joined.sizes().rank();
}

// The chunks that a box has cells of, which is less than all of a stretch along each dimension.
struct Grid {
  Index unit, shift;
};

Box in_cells(const Box& units, const Grid& grid) {
  Box cells = units;
  for (int d = 0; d < units.rank(); ++d) {
    cells.start[d] = units.start[d] * grid.unit[d] - grid.shift[d];
    cells.count[d] = units.count[d] * grid.unit[d];
  }
  return cells;
}

Box in_units(const Box& box, const Grid& grid) {
  Box units = box;
  for (int d = 0; d < box.rank(); ++d) {
    units.start[d] = (box.start[d] + grid.shift[d]) / grid.unit[d];
    units.count[d] = divide_up(box.stop(d) + grid.shift[d], grid.unit[d]) - units.start[d];
  }
  return units;
}

Box joined_box(const Box& box, const JoinedDimensions& joined) {
  if (!joined.any()) return box;
  Box result{joined.joined(box.start), joined.joined(box.count)};
  result.start[joined.first()] = box.start[joined.first()] * joined.row_points();
  return result;
}

// A part of a box whose cells lie evenly in the file, and its chunks.
struct EvenPart {
  Box box;
  Grid grid;
};

std::vector<EvenPart> even_parts(const Box& part, const Extents& extents) {
  std::vector<EvenPart> parts{{}};
  for (int d = 0; d < part.rank(); ++d) {
    Along along = {{part.start[d], part.start[d], part.count[d], 1}};
    if (!extents.along.empty() && !is_joined_whole(extents, d))
      along = clipped(extents.along[static_cast<std::size_t>(d)], part.start[d], part.stop(d));
    std::vector<EvenPart> longer;
    for (const EvenPart& even : parts)
      for (const Stretch& stretch : along) {
        const Chunks chunks = is_joined_whole(extents, d) ? Chunks{std::max<std::int64_t>(extents.shape[d], 1), 0}
                                                          : chunks_of(stretch, extents.chunk[d]);
        longer.push_back(even);
        longer.back().box.start.push_back(stretch.at);
        longer.back().box.count.push_back(stretch.count);
        longer.back().grid.unit.push_back(chunks.unit);
        longer.back().grid.shift.push_back(chunks.shift);
      }
    parts = std::move(longer);
  }
  return parts;
}

std::int64_t cells_of_unit(const EvenPart& part) {
  std::int64_t cells = 1;
  for (int d = 0; d < part.box.rank(); ++d) cells *= std::min(part.grid.unit[d], part.box.count[d]);
  return cells;
}

std::vector<Window> windows_in(const Box& part, const Extents& extents, std::int64_t most_cells) {
  std::vector<Window> windows;
  if (part.empty()) return windows;
  for (const EvenPart& even : even_parts(part, extents)) {
    const Box units = in_units(even.box, even.grid);
    for (Box some : cut_into_runs(units.count, std::max<std::int64_t>(1, most_cells / cells_of_unit(even)))) {
      some = moved(some, units.start, 1);
      if (const auto cells = intersect(in_cells(some, even.grid), even.box))
        windows.push_back({0, *cells, joined_box(*cells, extents.joined)});
    }
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
