#include "health/missing_pieces.hpp"

#include "base/error.hpp"
#include "base/told.hpp"
#include "staging/budget.hpp"

namespace thalweg::health {
namespace {

std::string last_puts(const roles::Roles& roles, const block::NodeBlocks& blocks, int variable) {
  std::string text = "; last record of this variable that each rank put:";
  for (int c = 0; c < roles.node_size; ++c) {
    const std::int64_t last = blocks.parts.front().plan->rings.moments().last_put(c, variable).load() - 1;
    text += fmt::format(" rank {}: {}{}", roles.node_members[static_cast<std::size_t>(c)],
                        last < 0 ? std::string("none") : std::to_string(last), c + 1 < roles.node_size ? "," : "");
  }
  return text + ". Ranks must put the same collections in the same order of records.\n";
}

// What holds up the record that the block of this moment's slot has.
std::string what_it_waits_for(const roles::Roles& roles, const block::NodeBlocks& blocks, int variable,
                              const block::BlockPlace& block, std::int64_t moment) {
  const block::CollectionPlan& plan = blocks.plan_of(block);
  if (blocks.is_assigned(block, moment) && !plan.assignment.may_assign(moment))
    return fmt::format("Record {}, which has its memory, is not complete", told::number(moment - plan.rings.depth())) +
           last_puts(roles, blocks, variable);
  const block::PlannedBlock& planned = plan.block(block.at(moment));
  const staging::BlockState& state = plan.rings.state(block.at(moment));
  const std::int64_t earlier = state.open.load();
  const std::uint32_t arrived = state.arrivals.load();
  const std::string text =
      fmt::format("Its block ({}) still holds record {}, with {} of {} pieces",
                  staging::readable_bytes(planned.map.bytes), told::number(earlier), arrived, planned.expected);
  if (arrived != planned.expected) return text + last_puts(roles, blocks, variable);
  return text +
         fmt::format(": it is complete and waits for the writer, rank {}.\n", blocks.part_of(block, earlier).writer);
}

}  // namespace

std::string why_not_free(const roles::Roles& roles, const block::NodeBlocks& blocks, int variable,
                         const block::BlockPlace& block, std::int64_t moment) {
  const block::CollectionPlan& plan = blocks.plan_of(block);
  const staging::BlockAddress of = block.at(moment);
  if (!plan.rings.is_open(of)) return what_it_waits_for(roles, blocks, variable, block, moment);
  return fmt::format(
      "Its block ({}) waits until an earlier record's has left its memory, of which collections that were defined "
      "later have taken some.\n",
      staging::readable_bytes(plan.block(of).map.bytes));
}

std::string missing_blocks(const roles::Roles& roles, const block::NodeBlocks& blocks, std::int64_t moment) {
  const block::CollectionPlan& plan = *blocks.own;
  for (std::size_t b = 0; moment >= 0 && b < plan.record_blocks.size(); ++b) {
    const block::BlockPlace block{0, static_cast<std::int64_t>(b)};
    const std::uint32_t arrived = plan.rings.state(block.at(moment)).arrivals.load();
    if (arrived < plan.record_blocks[b].expected)
      return what_it_waits_for(roles, blocks, plan.record_blocks[b].variable, block, moment);
  }
  return "";
}

}  // namespace thalweg::health
