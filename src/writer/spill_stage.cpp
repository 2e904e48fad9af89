#include "writer/spill_stage.hpp"

#include <bit>
#include <cstring>

#include "base/seconds.hpp"
#include "block/slot_layout.hpp"
#include "storage/sink.hpp"
#include "transform/filters.hpp"

namespace thalweg::writer {
namespace {

// Of parts, one after the other, from 0 on.
std::uint32_t sum_of_parts(std::uint32_t sum, std::span<const std::byte> part) {
  return std::rotl(sum, 1) ^ transform::crc32c(part);
}

}  // namespace

// The block's room in its slot; where its first byte is in there follows from the record's place in the file, which is
// not known yet when a block is saved.
std::int64_t SpillStage::room_bytes(const ReadyBlock& ready) const {
  const block::BlockMap& map = planned(plan_, ready).map;
  return map.bytes + (!plan_.files.chunked() && block::is_shifted(map) ? block::page_bytes : 0);
}

std::int64_t SpillStage::page_bytes_of(const ReadyBlock& ready) const {
  return Spill::whole_pages(planned(plan_, ready).slot_offset % block::page_bytes + room_bytes(ready));
}

// Of an encoded block only what its chunks have become.
template <typename Visit>
void SpillStage::for_parts(const ReadyBlock& ready, const Visit& visit) const {
  const std::vector<transform::EncodedSize>* sizes = sizes_.of(ready);
  if (sizes == nullptr) return visit(std::int64_t{0}, room_bytes(ready));
  const storage::BlockToWrite block{.block = &planned(plan_, ready), .sizes = sizes};
  for (std::int64_t i = 0; i < std::ssize(*sizes); ++i) {
    const block::Run run = block.run(i);
    visit(run.block_offset, run.bytes);
  }
}

void SpillStage::leave_slot(ReadyBlock& ready) const {
  ready.checksum = sum_in_slot(plan_, ready);
  plan_.rings.release(ready);
}

bool SpillStage::save(ReadyBlock& ready) {
  const Timer timer(counters_.spill_s);
  std::vector<iovec> parts;
  ready.saved_bytes = 0;
  ready.saved_sum = 0;
  for_parts(ready, [&, room = room_in_slot(plan_, ready)](std::int64_t offset, std::int64_t bytes) {
    parts.push_back({room + offset, static_cast<std::size_t>(bytes)});
    ready.saved_bytes += bytes;
    ready.saved_sum = sum_of_parts(ready.saved_sum, {room + offset, static_cast<std::size_t>(bytes)});
  });
  ready.saved = spill_.file.keep(parts);
  if (!ready.saved) return false;
  counters_.spilled_bytes += ready.saved_bytes;
  leave_slot(ready);
  return true;
}

void SpillStage::move_out(std::vector<ReadyBlock>& batch) {
  std::int64_t bytes = 0;
  for (const ReadyBlock& ready : batch) bytes += page_bytes_of(ready);
  std::byte* pages = spill_.memory(bytes);
  for (ReadyBlock& ready : batch) {
    if (planned(plan_, ready).is_fill_only()) continue;
    ready.copy = pages + planned(plan_, ready).slot_offset % block::page_bytes;
    fetch(ready);
    pages += page_bytes_of(ready);
  }
}

void SpillStage::fetch(ReadyBlock& ready) {
  if (!ready.saved) {
    for_parts(ready, [&, room = room_in_slot(plan_, ready)](std::int64_t offset, std::int64_t bytes) {
      std::memcpy(ready.copy + offset, room + offset, static_cast<std::size_t>(bytes));
    });
    return leave_slot(ready);
  }
  const Timer timer(counters_.spill_s);
  read_saved(ready);
  spill_.file.forget(*ready.saved, ready.saved_bytes);
}

void SpillStage::read_saved(const ReadyBlock& ready) const {
  std::int64_t place = *ready.saved;
  std::uint32_t sum = 0;
  for_parts(ready, [&](std::int64_t offset, std::int64_t bytes) {
    const std::span<std::byte> part{ready.copy + offset, static_cast<std::size_t>(bytes)};
    spill_.file.read(place, part);
    sum = sum_of_parts(sum, part);
    place += bytes;
  });
  if (sum != ready.saved_sum)
    fail(THALWEG_ERROR_STORAGE,
         "{}: a block of {} bytes that was spilled to a file in '{}' comes back changed: its checksum is {:08x} and "
         "was {:08x}; do not trust the storage of that folder, 'spill.folder' names another one",
         describe(plan_, ready), ready.saved_bytes, spill_.file.folder(), sum, ready.saved_sum);
}

}  // namespace thalweg::writer
