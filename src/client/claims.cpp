// Session: records that any of a node's writers may write (staging/record_claims.hpp): each goes to the one that has
// the least to write when somebody has the first piece of it.
#include <algorithm>

#include "base/log.hpp"
#include "client/session.hpp"
#include "staging/budget.hpp"

namespace thalweg::client {
namespace {

std::int64_t claimed_bytes(const store::CollectionPlan& plan) {
  std::int64_t bytes = 0;
  for (std::size_t b = static_cast<std::size_t>(plan.kept_blocks); b < plan.record_blocks.size(); ++b)
    if (plan.record_blocks[b].expected > 0) bytes += plan.record_blocks[b].map.bytes;
  return bytes;
}

}  // namespace

void Session::give_to_write(const Share& share, std::int64_t bytes) {
  control_->client(share.place).bytes_to_write.fetch_add(bytes, std::memory_order_relaxed);
}

// False: a record before it in the same slot is not complete yet.
bool Session::claim(const Collection& collection, std::int64_t record) {
  const store::CollectionPlan& plan = *collection.shares.front().plan;
  if (plan.claims.writer_of(record)) return true;
  if (!plan.claims.may_claim(record)) return false;
  const auto bytes_of = [&](const Share& share) {
    return control_->client(share.place).bytes_to_write.load(std::memory_order_relaxed);
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

}  // namespace thalweg::client
