#include "writer/ready_block.hpp"

#include <atomic>

#include "base/error.hpp"
#include "base/told.hpp"

namespace thalweg::writer {

std::string describe(const block::CollectionPlan& plan, const ReadyBlock& ready) {
  const auto variable = static_cast<std::size_t>(planned(plan, ready).variable);
  const std::string what = fmt::format("collection '{}', variable '{}'", plan.name, plan.variables[variable]);
  return ready.is_fixed() ? what : fmt::format("{}, record {}", what, told::number(ready.moment));
}

std::byte* room_in_slot(const block::CollectionPlan& plan, const ReadyBlock& ready) {
  return plan.rings.memory(ready) + planned(plan, ready).slot_offset;
}

std::byte* room_of_encoded(const block::CollectionPlan& plan, const ReadyBlock& ready) {
  if (!ready.is_fixed()) return room_in_slot(plan, ready);
  return plan.rings.fixed().room_data(1) + planned(plan, ready).slot_offset;
}

std::uint64_t sum_in_slot(const block::CollectionPlan& plan, const ReadyBlock& ready) {
  return plan.rings.state(ready).checksum.load(std::memory_order_relaxed);
}

// Of a block that has left its slot, the slot's may be another record's by now.
std::uint64_t sum_of_arrivals(const block::CollectionPlan& plan, const ReadyBlock& ready) {
  return ready.copy != nullptr ? ready.checksum : sum_in_slot(plan, ready);
}

}  // namespace thalweg::writer
