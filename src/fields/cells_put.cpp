#include "fields/cells_put.hpp"

#include <algorithm>

#include "fields/strip.hpp"

namespace thalweg::fields {

void leave_put(CellsPut& cells, const CellsPut& of_other) {
  if (cells.empty()) cells.assign(of_other.size(), 1);
  for (std::size_t cell = 0; cell < of_other.size(); ++cell) cells[cell] &= of_other[cell];
}

CellsPut put_at_levels(const CellsPut& of_model, const Columns& model, std::size_t cells) {
  const auto inner = static_cast<std::size_t>(model.inner());
  const std::size_t in_model = inner * static_cast<std::size_t>(model.levels());  // of columns side by side
  const std::size_t at_levels = cells / (of_model.size() / in_model);
  CellsPut put(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::size_t columns = cell / at_levels;
    for (std::size_t of = columns * in_model + cell % inner; of < (columns + 1) * in_model; of += inner)
      put[cell] |= of_model[of];
  }
  return put;
}

void use_put(std::int64_t first, std::span<const double> values, const CellsPut& put, const Strips::Use& use) {
  for (std::size_t at = 0; at < values.size(); at += strip_cells) {
    const std::span strip = values.subspan(at, std::min(strip_cells, values.size() - at));
    const std::int64_t cell = first + static_cast<std::int64_t>(at);
    if (put.empty())
      use(cell, strip);
    else
      for_each_put_run(
          strip.size(), [of_strip = put.data() + cell](std::size_t of) { return of_strip[of] != 0; },
          [&](std::size_t of, std::size_t cells) {
            use(cell + static_cast<std::int64_t>(of), strip.subspan(of, cells));
          });
  }
}

}  // namespace thalweg::fields
