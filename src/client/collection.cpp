#include "client/collection.hpp"

#include <algorithm>

namespace thalweg::client {

std::int64_t Collection::written_records() const {
  std::int64_t least = staging::BlockRing::all_records;
  for (const Share& share : shares)
    if (!share.plan->record_blocks.empty())
      least = std::min(least, share.plan->record_ring.progress().records.load(std::memory_order_acquire));
  return least;
}

}  // namespace thalweg::client
