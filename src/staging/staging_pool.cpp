#include "staging/staging_pool.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "staging/memory_room.hpp"

namespace thalweg::staging {

StagingPool& StagingPool::of_process() {
  static StagingPool pool;
  return pool;
}

StagingMemory StagingPool::take(std::int64_t bytes, int users, std::int64_t most_bytes) {
  const std::lock_guard held(mutex_);
  forget_what_others_use();
  const auto chosen = choose(bytes, most_bytes);
  if (chosen != kept_.end() && chosen->claim(users)) {
    StagingMemory taken = std::move(*chosen);
    kept_.erase(chosen);
    shrink_to(most_bytes - taken.bytes());
    return taken;
  }
  shrink_to(most_bytes - bytes);
  if (const MemoryRoom room = memory_room(); !has_room(room, bytes, users)) {
    shrink_to(0);
    require_room(memory_room(), bytes, users);
  }
  return StagingMemory::create(bytes, users);
}

StagingMemory StagingPool::take(const StagingTicket& ticket, std::int64_t most_bytes) {
  const std::lock_guard held(mutex_);
  const auto known = std::ranges::find(kept_, ticket.identity, &StagingMemory::identity);
  StagingMemory taken = known == kept_.end() ? StagingMemory::attach(ticket) : std::move(*known);
  if (known != kept_.end()) kept_.erase(known);
  forget_what_others_use();
  shrink_to(most_bytes - taken.bytes());
  return taken;
}

void StagingPool::give_back(StagingMemory memory, std::int64_t most_bytes) {
  const std::lock_guard held(mutex_);
  shrink_to(most_bytes - memory.bytes());
  memory.leave();
  kept_.push_back(std::move(memory));
}

std::int64_t StagingPool::kept_bytes() const {
  const std::lock_guard held(mutex_);
  return sum();
}

// It may be in use for long, by ranks that this process is not together with, or for ever, by one that has failed.
void StagingPool::forget_what_others_use() {
  std::erase_if(kept_, [](const StagingMemory& memory) { return !memory.is_idle(); });
}

// The smallest that is large enough. More than twice as large, it is left for a session that needs it, as long as there
// is room for both.
StagingPool::Kept::iterator StagingPool::choose(std::int64_t bytes, std::int64_t most_bytes) {
  auto chosen = kept_.end();
  for (auto it = kept_.begin(); it != kept_.end(); ++it)
    if (it->bytes() >= bytes && (chosen == kept_.end() || it->bytes() < chosen->bytes())) chosen = it;
  if (chosen == kept_.end()) return chosen;
  const bool leaves_room = sum() + bytes <= most_bytes;
  return chosen->bytes() / 2 > bytes && leaves_room ? kept_.end() : chosen;
}

void StagingPool::shrink_to(std::int64_t bytes) {
  while (!kept_.empty() && sum() > bytes) {
    kept_.front().give_up();
    kept_.pop_front();
  }
}

std::int64_t StagingPool::sum() const {
  return std::accumulate(kept_.begin(), kept_.end(), std::int64_t{0},
                         [](std::int64_t bytes, const StagingMemory& memory) { return bytes + memory.bytes(); });
}

}  // namespace thalweg::staging
