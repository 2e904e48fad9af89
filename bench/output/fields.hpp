// The model's arrays of one rank: contiguous, (level, y, x) with x fastest, with a halo around y and x.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "case.hpp"

namespace bench {

class Fields {
 public:
  Fields(const Case& workload, const Part& part);

  // Gives every interior point the value of the case's formula. The halo keeps -1, a value that no file may contain.
  void fill(int record);

  const float* data(std::size_t variable) const { return arrays_[variable].data(); }
  int levels(std::size_t variable) const;

  // Extents with halo, and the start and extents of the interior; {levels, y, x}.
  std::array<int, 3> extents(std::size_t variable) const;
  std::array<int, 3> interior(std::size_t variable) const;

  std::int64_t interior_points(std::size_t variable) const;
  std::size_t largest_interior() const;

  // Copies the interior, row by row, to a contiguous place.
  void pack(std::size_t variable, float* destination) const;

 private:
  bool is_scalar(std::size_t variable) const { return workload_.variables[variable].shape == Shape::scalar; }
  int halo(std::size_t variable) const { return is_scalar(variable) ? 0 : workload_.halo; }
  std::int64_t row_offset(std::size_t variable, int level, int y) const;
  void fill_row(std::uint32_t base, int level, int y, int x0, int nx, float* row) const;

  const Case& workload_;
  Part part_;
  std::vector<std::vector<float>> arrays_;
};

}  // namespace bench
