#include "staging/staging_memory.hpp"

#include <new>
#include <random>
#include <utility>

namespace thalweg::staging {
namespace {

// Numbers of processes come again, also while somebody keeps memory that an earlier one made.
std::uint64_t new_identity() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace

StagingMemory StagingMemory::create(std::int64_t bytes, int users) {
  return claimed(SharedMemory::create(header_bytes + bytes), users);
}

StagingMemory StagingMemory::create_in(const std::string& folder, std::int64_t bytes, int users) {
  return claimed(SharedMemory::create_in(folder, header_bytes + bytes), users);
}

StagingMemory StagingMemory::claimed(SharedMemory memory, int users) {
  StagingMemory made(std::move(memory));
  auto* header = new (made.memory_.data()) Header();
  header->identity = new_identity();
  header->users.store(users, std::memory_order_release);
  return made;
}

StagingMemory StagingMemory::attach(const StagingTicket& ticket) {
  return StagingMemory(SharedMemory::attach(ticket.memory));
}

// Whoever left it had made its share of the pages.
bool StagingMemory::claim(int users) const {
  std::int32_t nobody = 0;
  if (!header().users.compare_exchange_strong(nobody, users, std::memory_order_acq_rel)) return false;
  header().shares.store(static_cast<std::uint32_t>(users), std::memory_order_release);
  return true;
}

void StagingMemory::leave() const {
  header().users.fetch_sub(1, std::memory_order_acq_rel);
}

void StagingMemory::give_up() const {
  std::int32_t nobody = 0;
  if (header().users.compare_exchange_strong(nobody, nobody_ever, std::memory_order_acq_rel))
    memory_.remove(header_bytes, bytes());
}

void StagingMemory::make_share(int user, int users) const {
  if (has_pages(users)) return;
  const std::int64_t begin = bytes() * user / users;
  memory_.allocate(header_bytes + begin, bytes() * (user + 1) / users - begin);
  if (header().shares.fetch_add(1) + 1 == static_cast<std::uint32_t>(users)) futex_wake_all(header().shares);
}

void StagingMemory::map_all(int users) {
  if (is_mapped_) return;
  constexpr int most_looks = 100;
  constexpr double look_s = 0.1;
  for (int looks = 0; looks < most_looks && !has_pages(users); ++looks)
    futex_wait(header().shares, header().shares.load(), look_s);
  memory_.map(header_bytes, bytes());
  is_mapped_ = true;
}

}  // namespace thalweg::staging
