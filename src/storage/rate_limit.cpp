#include "storage/rate_limit.hpp"

#include <algorithm>

#include "block/block_map.hpp"

namespace thalweg::storage {

std::int64_t RateLimit::slice_bytes() const {
  constexpr std::int64_t least_bytes = std::int64_t{1} << 20;
  return std::max(least_bytes, bytes_per_s_ / 10);
}

double RateLimit::claim_s(std::int64_t bytes, double now_s) {
  if (!is_set()) return 0.0;
  const double begin_s = std::max(now_s, free_from_s_);
  free_from_s_ = begin_s + static_cast<double>(bytes) / static_cast<double>(bytes_per_s_);
  return begin_s - now_s;
}

std::vector<std::vector<DataRun>> cut_into_slices(std::span<DataRun> runs, std::int64_t slice_bytes) {
  std::ranges::sort(runs, {}, &DataRun::offset);
  std::vector<std::vector<DataRun>> slices;
  std::int64_t room = 0;
  for (const DataRun& run : runs)
    for (std::int64_t done = 0; done < run.bytes;) {
      const std::int64_t begin = run.offset + done;
      std::int64_t bytes = run.bytes - done;
      if (bytes > room)
        bytes = std::max<std::int64_t>(0, (begin + room) / block::page_bytes * block::page_bytes - begin);
      if (bytes == 0) {
        slices.emplace_back();
        room = slice_bytes;
        continue;
      }
      slices.back().push_back({begin, run.data + done, bytes});
      done += bytes;
      room -= bytes;
    }
  return slices;
}

}  // namespace thalweg::storage
