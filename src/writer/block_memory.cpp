#include "writer/block_memory.hpp"

#include <cstring>
#include <utility>

#include "base/seconds.hpp"
#include "block/holes.hpp"
#include "writer/block_encoding.hpp"

namespace thalweg::writer {

BlockMemory::BlockMemory(const block::CollectionPlan& plan, const FillOnlyBlocks& fill_only,
                         profile::WriterCounters& counters)
    : plan_(plan), fill_only_(fill_only), counters_(counters) {
  filled_at_.assign(static_cast<std::size_t>(plan.rings.size()), not_filled);
}

std::byte* BlockMemory::data(const ReadyBlock& ready, std::int64_t index_in_file) const {
  const std::int64_t shift = page_shift(ready, index_in_file);
  if (ready.copy != nullptr) return ready.copy + shift;
  if (const std::byte* encoded = fill_only_.data(ready)) return const_cast<std::byte*>(encoded);
  return (is_encoded(planned(plan_, ready)) ? room_of_encoded(plan_, ready) : room_in_slot(plan_, ready)) + shift;
}

// Clients never touch holes, so they stay filled until the block's place in memory changes with the page shift.
std::byte* BlockMemory::data_with_holes(const ReadyBlock& ready, std::int64_t index_in_file) {
  const block::PlannedBlock& block = planned(plan_, ready);
  std::byte* data_of_block = data(ready, index_in_file);
  if (block.holes.empty() && block.hole_points.empty()) return data_of_block;
  if (ready.copy != nullptr) {
    block::fill_holes(block, plan_.files.big_endian, data_of_block);
    return data_of_block;
  }
  const std::int64_t shift = page_shift(ready, index_in_file);
  // Where records are assigned, another writer may have had the slot in between.
  if (filled_at(ready) == shift && !plan_.assignment) return data_of_block;
  const Timer timer(counters_.fill_s);
  block::fill_holes(block, plan_.files.big_endian, data_of_block);
  filled_at(ready) = shift;
  return data_of_block;
}

std::byte* BlockMemory::data_to_encode(const ReadyBlock& ready) {
  if (ready.is_fixed()) return copy_to_encode(ready);
  std::byte* data_of_block = data_with_holes(ready, 0);
  if (ready.copy == nullptr) filled_at(ready) = not_filled;
  return data_of_block;
}

std::byte* BlockMemory::copy_to_encode(const ReadyBlock& ready) const {
  const block::PlannedBlock& block = planned(plan_, ready);
  const Timer timer(counters_.fill_s);
  std::byte* data_of_block = room_of_encoded(plan_, ready);
  std::memcpy(data_of_block, room_in_slot(plan_, ready), static_cast<std::size_t>(block.map.bytes));
  block::fill_holes(block, plan_.files.big_endian, data_of_block);
  return data_of_block;
}

std::int64_t BlockMemory::page_shift(const ReadyBlock& ready, std::int64_t index_in_file) const {
  return ready.is_fixed() || plan_.files.chunked() ? 0 : plan_.page_shift(ready.block, index_in_file);
}

std::int64_t& BlockMemory::filled_at(const ReadyBlock& ready) {
  return filled_at_[static_cast<std::size_t>(plan_.rings.memory_number(ready))];
}

}  // namespace thalweg::writer
