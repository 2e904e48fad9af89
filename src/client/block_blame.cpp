#include "client/block_blame.hpp"

#include "staging/budget.hpp"

namespace thalweg::client {
namespace {

std::string last_puts(const roles::Roles& roles, const Collection& collection, int variable) {
  std::string text = "; last record of this variable that each rank put:";
  for (int c = 0; c < roles.node_size; ++c) {
    const std::int64_t last = collection.shares.front().plan->record_ring.last_put(c, variable).load() - 1;
    text += fmt::format(" rank {}: {}{}", roles.node_members[static_cast<std::size_t>(c)],
                        last < 0 ? std::string("none") : std::to_string(last), c + 1 < roles.node_size ? "," : "");
  }
  return text + ". Ranks must put the same collections in the same order of records.\n";
}

}  // namespace

std::string block_blame(const roles::Roles& roles, const BlockOf& block) {
  const auto& [collection, variable, place, record] = block;
  const block::CollectionPlan& plan = collection.plan_of(place);
  const staging::BlockRing& ring = plan.record_ring;
  if (collection.is_claimed(place, true) && !plan.claims.may_claim(record))
    return fmt::format("Record {}, which has its memory, is not complete", record - ring.shape().depth) +
           last_puts(roles, collection, variable);
  const block::PlannedBlock& planned = plan.record_blocks[static_cast<std::size_t>(place.number)];
  const staging::BlockState& state = ring.state(ring.slot_of(record), place.number);
  const std::int64_t earlier = state.open.load();
  const std::uint32_t arrived = state.arrivals.load();
  const std::string text = fmt::format("Its block ({}) still holds record {}, with {} of {} pieces",
                                       staging::readable_bytes(planned.map.bytes), earlier, arrived, planned.expected);
  if (arrived != planned.expected) return text + last_puts(roles, collection, variable);
  return text + fmt::format(": it is complete and waits for the writer, rank {}.\n",
                            collection.share_of(place, true, earlier).writer);
}

std::string missing_blocks(const roles::Roles& roles, const Collection& collection, std::int64_t record) {
  const block::CollectionPlan& plan = *collection.plan;
  for (std::size_t b = 0; record >= 0 && b < plan.record_blocks.size(); ++b) {
    const BlockPlace place{0, static_cast<std::int64_t>(b)};
    const auto arrived = plan.record_ring.state(plan.record_ring.slot_of(record), place.number).arrivals.load();
    if (arrived < plan.record_blocks[b].expected)
      return block_blame(roles, {collection, plan.record_blocks[b].variable, place, record});
  }
  return "";
}

}  // namespace thalweg::client
