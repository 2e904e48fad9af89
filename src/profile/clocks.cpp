#include "profile/clocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::profile {

ClockBounds bounds(std::int64_t clock, std::span<const Meeting> own, std::span<const Meeting> of_first) {
  using Limits = std::numeric_limits<std::int64_t>;
  ClockBounds found{clock, Limits::min(), Limits::max()};
  for (std::size_t k = 0; k < own.size(); ++k) {
    found.least_ns = std::max(found.least_ns, own[k].came_ns - of_first[k].left_ns);
    found.most_ns = std::min(found.most_ns, own[k].left_ns - of_first[k].came_ns);
  }
  return found;
}

ClockOffset offset_of(std::size_t rank, std::span<const ClockBounds> all) {
  ClockBounds found = all[rank];
  if (found.clock == all.front().clock) return {};
  for (const ClockBounds& other : all) {
    if (other.clock != found.clock) continue;
    found.least_ns = std::max(found.least_ns, other.least_ns);
    found.most_ns = std::min(found.most_ns, other.most_ns);
  }
  const double least_s = 1e-9 * static_cast<double>(found.least_ns);
  const double most_s = 1e-9 * static_cast<double>(found.most_ns);
  return {-(least_s + most_s) / 2, std::abs(most_s - least_s) / 2};
}

}  // namespace thalweg::profile
