#include "block/slot_layout.hpp"

#include <algorithm>
#include <numeric>

namespace thalweg::block {
namespace {

// Smallest offset from `at` on that is congruent to file_start modulo page_bytes.
std::int64_t congruent_from(std::int64_t at, std::int64_t file_start) {
  return at + ((file_start - at) % page_bytes + page_bytes) % page_bytes;
}

}  // namespace

SlotLayout lay_out_slot(const std::vector<SlotBlock>& blocks) {
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return blocks[a].file_start < blocks[b].file_start; });
  SlotLayout layout;
  layout.offset.resize(blocks.size());
  std::int64_t at = 0;
  std::int64_t file_end = -1;  // of the block before, if another may follow it at once
  for (const std::size_t i : order) {
    const BlockMap& map = *blocks[i].map;
    const bool shifts = is_shifted(map);
    if (shifts)
      at = congruent_from(at, blocks[i].file_start);
    else if (blocks[i].file_start != file_end)
      at = (at + 7) / 8 * 8;
    layout.offset[i] = at;
    at += map.bytes + (shifts ? page_bytes : 0);
    file_end = !shifts && map.run_count == 1 ? blocks[i].file_start + map.bytes : -1;
  }
  layout.bytes = std::max(page_bytes, (at + page_bytes - 1) / page_bytes * page_bytes);
  return layout;
}

}  // namespace thalweg::block
