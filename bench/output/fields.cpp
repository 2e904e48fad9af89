#include "fields.hpp"

#include <algorithm>
#include <cstring>

#include "formula.hpp"

namespace bench {

Fields::Fields(const Case& workload, const Part& part) : workload_(workload), part_(part) {
  for (std::size_t v = 0; v < workload.variables.size(); ++v) {
    const auto [levels, ny, nx] = extents(v);
    arrays_.emplace_back(static_cast<std::size_t>(levels) * ny * nx, -1.0f);
  }
  fill(0);
}

int Fields::levels(std::size_t variable) const {
  return workload_.variables[variable].shape == Shape::volume ? workload_.nz : 1;
}

std::array<int, 3> Fields::interior(std::size_t variable) const {
  if (is_scalar(variable)) return {1, 1, 1};
  return {levels(variable), part_.ny, part_.nx};
}

std::array<int, 3> Fields::extents(std::size_t variable) const {
  const auto [levels, ny, nx] = interior(variable);
  return {levels, ny + 2 * halo(variable), nx + 2 * halo(variable)};
}

std::int64_t Fields::interior_points(std::size_t variable) const {
  const auto [levels, ny, nx] = interior(variable);
  return static_cast<std::int64_t>(levels) * ny * nx;
}

std::size_t Fields::largest_interior() const {
  std::int64_t largest = 0;
  for (std::size_t v = 0; v < arrays_.size(); ++v) largest = std::max(largest, interior_points(v));
  return static_cast<std::size_t>(largest);
}

std::int64_t Fields::row_offset(std::size_t variable, int level, int y) const {
  const auto [levels, ny, nx] = extents(variable);
  return (static_cast<std::int64_t>(level) * ny + y + halo(variable)) * nx + halo(variable);
}

void Fields::fill(int record) {
  for (std::size_t v = 0; v < arrays_.size(); ++v) {
    const auto [levels, ny, nx] = interior(v);
    const std::uint32_t base = formula_base(static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(record));
    const int x0 = is_scalar(v) ? 0 : part_.x0, y0 = is_scalar(v) ? 0 : part_.y0;
    for (int level = 0; level < levels; ++level) {
      for (int y = 0; y < ny; ++y) {
        fill_row(base, level, y0 + y, x0, nx, arrays_[v].data() + row_offset(v, level, y));
      }
    }
  }
}

// y and x0 count from the beginning of the global grid.
void Fields::fill_row(std::uint32_t base, int level, int y, int x0, int nx, float* row) const {
  const auto first = static_cast<std::uint32_t>((level * workload_.ny + y) * workload_.nx + x0);
  if (workload_.smooth) {
    const SmoothFormula smooth(base, workload_.nx, workload_.ny);
    for (int x = 0; x < nx; ++x) row[x] = smooth.value(level, y, x0 + x, first + static_cast<std::uint32_t>(x));
  } else {
    for (int x = 0; x < nx; ++x) row[x] = formula(base, first + static_cast<std::uint32_t>(x));
  }
}

void Fields::pack(std::size_t variable, float* destination) const {
  const auto [levels, ny, nx] = interior(variable);
  for (int level = 0; level < levels; ++level) {
    for (int y = 0; y < ny; ++y, destination += nx) {
      std::memcpy(destination, data(variable) + row_offset(variable, level, y), sizeof(float) * nx);
    }
  }
}

}  // namespace bench
