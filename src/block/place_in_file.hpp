// Where a block lies in its file.
#pragma once

#include <cstdint>
#include <span>

#include "block/planned_block.hpp"
#include "block/record_sums.hpp"

namespace thalweg::block {

// Of a record, or of what has no record.
struct PlaceInFile {
  std::int64_t record = fixed_record;
  std::int64_t index_in_file = 0;
  std::span<const std::int64_t> offsets{};  // of chunks, where they do not follow from arithmetic
  double time_s = 0.0;

  bool is_fixed() const { return record == fixed_record; }
};

// From where run number `run` of the block counts its offset in the file.
inline std::int64_t begin_of_run(const PlannedBlock& block, bool is_chunked, const PlaceInFile& place,
                                 std::int64_t run) {
  if (!is_chunked) return block.place.begin + (place.is_fixed() ? 0 : place.index_in_file * block.place.record_bytes);
  if (!block.chunks) return place.offsets[static_cast<std::size_t>(block.place.first)];
  return place
      .offsets[static_cast<std::size_t>(block.place.first + (place.is_fixed() ? block.chunks->number(run) : run))];
}

}  // namespace thalweg::block
