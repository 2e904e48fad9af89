// CollectionWriter: complete blocks that leave the staging memory before they are written, so that clients find free
// ones while the storage is slow.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/clock.hpp"
#include "store/slot_layout.hpp"
#include "transform/filters.hpp"
#include "writer/collection_writer.hpp"

namespace thalweg::writer {
namespace {

// Of parts, one after the other, from 0 on.
std::uint32_t sum_with(std::uint32_t sum, std::span<const std::byte> part) {
  return std::rotl(sum, 1) ^ transform::crc32c(part);
}

}  // namespace

// The block's room in its slot; where its first byte is in there follows from the record's place in the file, which is
// not known yet when a block is saved.
std::int64_t CollectionWriter::room_bytes(const ReadyBlock& ready) const {
  const store::BlockMap& map = planned(plan_, ready).map;
  return map.bytes + (!plan_.chunked && store::takes_phase(map) ? store::page_bytes : 0);
}

// Of an encoded block only what its chunks have become.
template <typename Visit>
void CollectionWriter::for_parts(const ReadyBlock& ready, const Visit& visit) const {
  const std::vector<EncodedSize>* sizes = sizes_.of(ready);
  if (sizes == nullptr) return visit(std::int64_t{0}, room_bytes(ready));
  for (std::size_t k = 0; k < sizes->size(); ++k)
    visit(planned(plan_, ready).map.run(static_cast<std::int64_t>(k)).block_offset, (*sizes)[k].bytes);
}

std::byte* CollectionWriter::room_in_slot(const ReadyBlock& ready) const {
  return plan_.record_ring.slot_data(plan_.record_ring.slot_of(ready.record)) + planned(plan_, ready).slot_offset;
}

void CollectionWriter::leave_slot(ReadyBlock& ready) const {
  const std::int64_t slot = plan_.record_ring.slot_of(ready.record);
  ready.checksum = plan_.record_ring.state(slot, ready.block).checksum.load(std::memory_order_relaxed);
  plan_.record_ring.release(slot, ready.block);
}

// The oldest first: its memory is wanted first.
bool CollectionWriter::save_one() {
  const auto found = std::ranges::find_if(
      ready_, [&](const ReadyBlock& ready) { return !ready.saved && planned(plan_, ready).expected > 0; });
  if (found == ready_.end()) return false;
  const Timer timer(counters_.spill_s);
  std::vector<iovec> parts;
  found->saved_bytes = 0;
  found->saved_sum = 0;
  for_parts(*found, [&, room = room_in_slot(*found)](std::int64_t offset, std::int64_t bytes) {
    parts.push_back({room + offset, static_cast<std::size_t>(bytes)});
    found->saved_bytes += bytes;
    found->saved_sum = sum_with(found->saved_sum, {room + offset, static_cast<std::size_t>(bytes)});
  });
  found->saved = spill_->file.keep(parts);
  if (!found->saved) return false;
  counters_.spilled_bytes += found->saved_bytes;
  leave_slot(*found);
  return true;
}

// What is written next: a call to the storage may hang, so its data are no longer in a slot that clients wait for.
void CollectionWriter::move_out(std::vector<ReadyBlock>& batch) {
  if (spill_ == nullptr) return;
  const auto pages_for = [&](const ReadyBlock& ready) {
    const std::int64_t bytes = planned(plan_, ready).slot_offset % store::page_bytes + room_bytes(ready);
    return (bytes + store::page_bytes - 1) / store::page_bytes * store::page_bytes;
  };
  std::int64_t bytes = 0;
  for (const ReadyBlock& ready : batch) bytes += pages_for(ready);
  std::byte* pages = spill_->memory(bytes);
  for (ReadyBlock& ready : batch) {
    if (planned(plan_, ready).expected == 0) continue;  // clients have no part in it
    ready.copy = pages + planned(plan_, ready).slot_offset % store::page_bytes;
    fetch(ready);
    pages += pages_for(ready);
  }
}

void CollectionWriter::fetch(ReadyBlock& ready) {
  if (!ready.saved) {
    for_parts(ready, [&, room = room_in_slot(ready)](std::int64_t offset, std::int64_t bytes) {
      std::memcpy(ready.copy + offset, room + offset, static_cast<std::size_t>(bytes));
    });
    return leave_slot(ready);
  }
  const Timer timer(counters_.spill_s);
  read_saved(ready);
  spill_->file.forget(*ready.saved, ready.saved_bytes);
}

void CollectionWriter::read_saved(ReadyBlock& ready) const {
  std::int64_t place = *ready.saved;
  std::uint32_t sum = 0;
  for_parts(ready, [&](std::int64_t offset, std::int64_t bytes) {
    const std::span<std::byte> part{ready.copy + offset, static_cast<std::size_t>(bytes)};
    spill_->file.read(place, part);
    sum = sum_with(sum, part);
    place += bytes;
  });
  if (sum != ready.saved_sum)
    fail(THALWEG_ERROR_STORAGE,
         "{}: a block of {} bytes that was spilled to a file in '{}' comes back changed: its checksum is {:08x} and "
         "was {:08x}; do not trust the storage of that folder, 'spill.folder' names another one",
         describe(plan_, ready), ready.saved_bytes, spill_->file.folder(), sum, ready.saved_sum);
}

}  // namespace thalweg::writer
