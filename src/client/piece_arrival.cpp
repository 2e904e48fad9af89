#include "client/piece_arrival.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "staging/budget.hpp"

namespace thalweg::client {
namespace {

// The writer is woken at once for a complete block of this size; smaller ones wait for the rest of their record.
constexpr std::int64_t waking_bytes = std::int64_t{256} << 10;

std::int64_t claimed_bytes(const store::CollectionPlan& plan) {
  std::int64_t bytes = 0;
  for (std::size_t b = static_cast<std::size_t>(plan.kept_blocks); b < plan.record_blocks.size(); ++b)
    if (plan.record_blocks[b].expected > 0) bytes += plan.record_blocks[b].map.bytes;
  return bytes;
}

}  // namespace

std::byte* block_address(const Collection& collection, int variable, const BlockPlace& place, std::int64_t record,
                         std::int64_t index_in_file) {
  const store::CollectionPlan& plan = collection.plan_of(place);
  const staging::BlockAddress of = collection.address_of(variable, place, record);
  return plan.rings.slot(of) + (of.is_fixed() ? 0 : plan.phase(place.number, index_in_file));
}

bool PieceArrival::is_open(const Collection& collection, const BlockPlace& place, std::int64_t record) const {
  if (collection.is_claimed(place, true) && !claim(collection, record)) return false;
  return collection.plan_of(place).rings.moments().is_open(record, place.number);
}

bool PieceArrival::claim(const Collection& collection, std::int64_t record) const {
  const store::CollectionPlan& plan = *collection.shares.front().plan;
  if (plan.claims.writer_of(record)) return true;
  if (!plan.claims.may_claim(record)) return false;
  const auto bytes_of = [&](const Share& share) {
    return control_.client(share.place).bytes_to_write.load(std::memory_order_relaxed);
  };
  const auto idlest = std::ranges::min_element(collection.shares, {}, bytes_of);
  const std::int64_t before = bytes_of(*idlest);
  if (!plan.claims.claim(record, static_cast<int>(idlest - collection.shares.begin()))) return true;
  give_to_write(*idlest, claimed_bytes(plan));
  if (log::enabled(log::Level::debug))
    log::debug("collection '{}': record {} goes to the server of rank {}, which had {} to write", collection.name,
               record, idlest->writer, staging::readable_bytes(before));
  return true;
}

void PieceArrival::give_to_write(const Share& share, std::int64_t bytes) const {
  control_.client(share.place).bytes_to_write.fetch_add(bytes, std::memory_order_relaxed);
}

void PieceArrival::count(const BlockOf& block, std::uint32_t pieces, std::uint32_t expected,
                         std::uint64_t checksum) const {
  const staging::BlockAddress of = block.address();
  if (!block.collection.plan_of(block.place).rings.arrive(of, pieces, expected, checksum)) return;
  if (!block.collection.by_library()) return hand_over(block.collection, block.place, of);
  // The ranks that write it wait for the news, or, where they step a writer, for the bell.
  control_.tell_news();
  control_.ring();
}

void PieceArrival::hand_over(const Collection& collection, const BlockPlace& place,
                             const staging::BlockAddress& of) const {
  const bool has_record = !of.is_fixed();
  const Share& share = collection.share_of(place, has_record, of.moment);
  const store::CollectionPlan& plan = collection.plan_of(place);
  const std::int64_t bytes = plan.block(of).map.bytes;
  const bool is_claimed = collection.is_claimed(place, has_record);
  if (has_record && !is_claimed) give_to_write(share, bytes);  // what is claimed counts from then on
  share.ready_queue.push(plan.rings.id(of));
  if (is_claimed) plan.claims.complete_block(of.moment);
  const bool completes = has_record && plan.rings.moments().completes_moment(of.moment);
  if (completes || bytes >= waking_bytes) control_.ring();
}

}  // namespace thalweg::client
