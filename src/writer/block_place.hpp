// Where a block lies in its file.
#pragma once

#include <cstdint>
#include <span>

#include "store/orders.hpp"

namespace thalweg::writer {

// Of a record, or, with index 0, of what has no record.
struct BlockPlace {
  std::int64_t index_in_file = 0;
  std::span<const std::int64_t> offsets;  // of chunks, where they do not follow from arithmetic
  double time_s = 0.0;
};

// From where run number `run` of the block counts its offset in the file.
inline std::int64_t begin_of_run(const store::PlannedBlock& block, bool is_chunked, const BlockPlace& place,
                                 std::int64_t run, bool is_fixed = true) {
  if (!is_chunked) return block.begin + (is_fixed ? 0 : place.index_in_file * block.record_bytes);
  if (!block.chunks) return place.offsets[static_cast<std::size_t>(block.first_place)];
  return place.offsets[static_cast<std::size_t>(block.first_place + (is_fixed ? block.chunks->number(run) : run))];
}

}  // namespace thalweg::writer
