#include "planning/writer_loads.hpp"

#include <algorithm>

namespace thalweg::planning {

double WriterLoads::of(int writer) const {
  const auto found = bytes_a_step_.find(writer);
  return found == bytes_a_step_.end() ? 0.0 : found->second;
}

void WriterLoads::put_idlest_first(std::vector<int>& writers) const {
  std::ranges::stable_sort(writers, {}, [this](int writer) { return of(writer); });
}

double steps_between(const Interval& every, double time_step_s) {
  constexpr double month_s = 30 * 86400.0;
  if (every.steps > 0) return static_cast<double>(every.steps);
  const double seconds = every.seconds + static_cast<double>(every.months) * month_s;
  return time_step_s > 0.0 && seconds > 0.0 ? seconds / time_step_s : 1.0;
}

}  // namespace thalweg::planning
