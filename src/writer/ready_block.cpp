#include "writer/ready_block.hpp"

#include <atomic>

#include "base/error.hpp"

namespace thalweg::writer {

std::string describe(const store::CollectionPlan& plan, const ReadyBlock& ready) {
  const auto variable = static_cast<std::size_t>(planned(plan, ready).variable);
  const std::string what = fmt::format("collection '{}', variable '{}'", plan.name, plan.variables[variable]);
  return ready.is_fixed() ? what : fmt::format("{}, record {}", what, ready.record);
}

// Of a block that has left its slot, the slot's may be another record's by now.
std::uint64_t sum_of_arrivals(const store::CollectionPlan& plan, const ReadyBlock& ready) {
  if (ready.copy != nullptr) return ready.checksum;
  const staging::BlockRing& ring = ready.is_fixed() ? plan.fixed_ring : plan.record_ring;
  const std::int64_t slot = ready.is_fixed() ? 0 : ring.slot_of(ready.record);
  return ring.state(slot, ready.block).checksum.load(std::memory_order_relaxed);
}

}  // namespace thalweg::writer
