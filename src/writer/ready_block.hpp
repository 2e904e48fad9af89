// A block is complete and on its way to its file; until it is there its data may move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "block/collection_plan.hpp"

namespace thalweg::writer {

struct ReadyBlock : staging::BlockAddress {
  // Once it has left its slot:
  std::optional<std::int64_t> saved{};  // where, in the spill's file
  std::int64_t saved_bytes = 0;
  std::uint32_t saved_sum = 0;
  std::uint64_t checksum = 0;
  std::byte* copy = nullptr;  // from which it is written; the room of the block in its slot
};

inline const block::PlannedBlock& planned(const block::CollectionPlan& plan, const ReadyBlock& ready) {
  return plan.block(ready);
}

// is_own: this writer has those blocks of the record that may be any writer's.
inline bool writes_block(const block::CollectionPlan& plan, std::int64_t record_block, bool is_own) {
  return plan.is_assigned(record_block) ? is_own : plan.has_pinned;
}

// "collection 'history', variable 'temp', record 3", for messages.
std::string describe(const block::CollectionPlan& plan, const ReadyBlock& ready);

// Where the block has its room in its slot; its first element is there, but for the page shift.
std::byte* room_in_slot(const block::CollectionPlan& plan, const ReadyBlock& ready);

// Where a fixed block is that was encoded: what clients have put of it stays as it is, for files in which a part of it
// changes. Elsewhere its room in its slot.
std::byte* room_of_encoded(const block::CollectionPlan& plan, const ReadyBlock& ready);

// The checksum that clients took in their copy: of a block in its slot, and of any.
std::uint64_t sum_in_slot(const block::CollectionPlan& plan, const ReadyBlock& ready);
std::uint64_t sum_of_arrivals(const block::CollectionPlan& plan, const ReadyBlock& ready);

}  // namespace thalweg::writer
