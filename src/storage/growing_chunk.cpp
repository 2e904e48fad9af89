#include "storage/growing_chunk.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::storage {

GrowingChunk::GrowingChunk(Type type, std::int64_t record_bytes, std::int64_t chunk_records, const Element& fill)
    : record_bytes_(record_bytes),
      chunk_records_(chunk_records),
      empty_(static_cast<std::size_t>(record_bytes * chunk_records)) {
  for (std::size_t place = 0; place < empty_.size(); place += size_of(type))
    std::copy_n(fill.begin(), size_of(type), empty_.begin() + static_cast<std::ptrdiff_t>(place));
}

void GrowingChunk::put(std::int64_t record, std::span<const std::byte> bytes) {
  if (std::ssize(bytes) != record_bytes_)
    fail(THALWEG_ERROR_INTERNAL, "a record of {} bytes for a chunk whose records have {}", bytes.size(), record_bytes_);
  Row& row = rows_.try_emplace(record / chunk_records_, Row{empty_, false}).first->second;
  std::ranges::copy(bytes, row.bytes.begin() + record % chunk_records_ * record_bytes_);
  row.changed = true;
}

void GrowingChunk::commit(std::int64_t records, const Write& write) {
  for (auto& [number, row] : rows_) {
    if (row.changed) write(number, row.bytes);
    row.changed = false;
  }
  rows_.erase(rows_.begin(), rows_.lower_bound(records / chunk_records_));
}

}  // namespace thalweg::storage
