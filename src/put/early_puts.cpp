#include "put/early_puts.hpp"

#include <algorithm>
#include <iterator>

namespace thalweg::put {

void EarlyPuts::keep(const PutVariable& of, const std::vector<Box>& boxes, int box, const Field& field) {
  require_box(of, box, boxes.size());
  const auto is_same = [&](const Kept& kept) { return kept.variable == of.name && kept.box == box; };
  if (std::ranges::any_of(kept_, is_same)) refuse_second_put(of, 0);
  kept_.push_back({put::keep(of, boxes[static_cast<std::size_t>(box)], field), of.name, box});
}

std::vector<EarlyPuts::Kept> EarlyPuts::take(const std::string& variable) {
  std::vector<Kept> taken;
  const auto is_other = [&](const Kept& kept) { return kept.variable != variable; };
  const auto others = std::ranges::stable_partition(kept_, is_other);
  std::ranges::move(others, std::back_inserter(taken));
  kept_.erase(others.begin(), others.end());
  return taken;
}

}  // namespace thalweg::put
