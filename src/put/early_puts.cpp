#include "put/early_puts.hpp"

#include <algorithm>

namespace thalweg::put {

void EarlyPuts::keep(const PutVariable& of, const std::vector<Box>& boxes, int box, const Field& field) {
  require_box(of, box, boxes.size());
  const auto is_same = [&](const Kept& kept) { return kept.variable == of.name && kept.box == box; };
  if (std::ranges::any_of(kept_, is_same)) refuse_second_put(of, 0);
  kept_.push_back({put::keep(of, boxes[static_cast<std::size_t>(box)], field), of.name, box});
}

}  // namespace thalweg::put
