#include "client/piece_arrival.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "staging/budget.hpp"

namespace thalweg::client {
namespace {

// The writer is woken at once for a complete block of this size; smaller ones wait for the rest of their record.
constexpr std::int64_t waking_bytes = std::int64_t{256} << 10;

std::int64_t claimed_bytes(const block::CollectionPlan& plan) {
  std::int64_t bytes = 0;
  for (std::size_t b = static_cast<std::size_t>(plan.kept_blocks); b < plan.record_blocks.size(); ++b)
    if (plan.record_blocks[b].expected > 0) bytes += plan.record_blocks[b].map.bytes;
  return bytes;
}

}  // namespace

std::byte* block_address(const Collection& collection, int variable, const BlockPlace& place, std::int64_t record,
                         std::int64_t index_in_file) {
  const block::CollectionPlan& plan = collection.plan_of(place);
  if (!collection.variable(variable).has_record) return plan.fixed_ring.slot_data(0);
  return plan.record_ring.slot_data(plan.record_ring.slot_of(record)) + plan.page_shift(place.number, index_in_file);
}

bool PieceArrival::is_open(const Collection& collection, const BlockPlace& place, std::int64_t record) const {
  if (collection.is_claimed(place, true) && !claim(collection, record)) return false;
  return collection.plan_of(place).record_ring.is_open(record, place.number);
}

bool PieceArrival::claim(const Collection& collection, std::int64_t record) const {
  const block::CollectionPlan& plan = *collection.shares.front().plan;
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
  const bool fixed = !block.collection.variable(block.variable).has_record;
  const block::CollectionPlan& plan = block.collection.plan_of(block.place);
  const staging::BlockRing& ring = fixed ? plan.fixed_ring : plan.record_ring;
  if (!ring.arrive(block.record, block.place.number, pieces, expected, checksum)) return;
  if (!block.collection.by_library()) return hand_over(block, ring);
  // The ranks that write it wait for the news, or, where they step a writer, for the bell.
  control_.tell_news();
  control_.ring();
}

void PieceArrival::hand_over(const BlockOf& block, const staging::BlockRing& ring) const {
  const auto& [collection, variable, place, record] = block;
  const bool fixed = !collection.variable(variable).has_record;
  const Share& share = collection.share_of(place, !fixed, record);
  const block::CollectionPlan& plan = collection.plan_of(place);
  const auto& records = plan.record_ring.shape();
  const std::int64_t token =
      fixed ? records.depth * records.blocks + place.number : ring.slot_of(record) * records.blocks + place.number;
  const std::int64_t bytes =
      (fixed ? plan.fixed_blocks : plan.record_blocks)[static_cast<std::size_t>(place.number)].map.bytes;
  const bool is_claimed = collection.is_claimed(place, !fixed);
  if (!fixed && !is_claimed) give_to_write(share, bytes);  // what is claimed counts from then on
  share.ready_queue.push(plan.first_token + static_cast<std::uint32_t>(token));
  if (is_claimed) plan.claims.complete_block(record);
  const bool completes = !fixed && ring.completes_record(record);
  if (completes || bytes >= waking_bytes) control_.ring();
}

}  // namespace thalweg::client
