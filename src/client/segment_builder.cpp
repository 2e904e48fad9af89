#include "client/segment_builder.hpp"

#include <algorithm>

#include "staging/budget.hpp"
#include "staging/memory_room.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

constexpr std::int64_t counter_bytes = 64;

staging::RingShape records_of(const Draft& draft, const ShareDraft& share) {
  // The table of last puts is in the first share's ring.
  const std::int64_t variables = &share == &draft.shares.front() ? std::ssize(draft.plans) : 0;
  const auto& blocks = share.plan->record_blocks;
  return {draft.depth, static_cast<std::int64_t>(blocks.size()), blocks.empty() ? 0 : share.record_slot.bytes,
          variables, draft.given.roles.node_size};
}

staging::RingShape fixed_of(const ShareDraft& share) {
  const auto& blocks = share.plan->fixed_blocks;
  return {1, static_cast<std::int64_t>(blocks.size()), blocks.empty() ? 0 : share.fixed_slot.bytes, 0, 0};
}

// Blocks of a record that any one of a node's writers may write; 0: there is nothing to choose.
std::int64_t claimed_blocks(const Draft& draft) {
  if (!draft.collection.by_claims || draft.shares.size() < 2) return 0;
  const block::CollectionPlan& first = *draft.shares.front().plan;
  return std::ranges::count_if(first.record_blocks.begin() + first.kept_blocks, first.record_blocks.end(),
                               [](const block::PlannedBlock& block) { return block.expected > 0; });
}

staging::Demand demand_of(const Draft& draft, std::int64_t message_bytes) {
  std::int64_t record_bytes = 0;
  std::int64_t fixed_bytes = 0;
  for (const ShareDraft& share : draft.shares) {
    if (draft.follows_first(share)) continue;
    record_bytes += share.plan->record_blocks.empty() ? 0 : share.record_slot.bytes;
    fixed_bytes += share.plan->fixed_blocks.empty() ? 0 : share.fixed_slot.bytes;
  }
  return {draft.collection.name, record_bytes, fixed_bytes + message_bytes,
          draft.by_library ? 1 : draft.collection.declaration.settings().records_ahead};
}

}  // namespace

void SegmentBuilder::share_budget(std::list<Draft>& drafts) const {
  std::vector<staging::Demand> demands;
  for (const Draft& draft : drafts)
    demands.push_back(demand_of(draft, transport::sum(given_.roles.local, draft.messages.bytes)));
  std::vector<std::int64_t> depths;
  transport::together(given_.roles.world, [&] {
    for (const Draft& draft : drafts) transport::check_message(draft.messages.longest_bytes, draft.collection.name);
    depths = staging::share_budget(demands, given_.settings.staging - memory_.bytes);
  });
  const bool sync = given_.settings.writers == config::Writers::sync;
  auto depth = depths.begin();
  for (Draft& draft : drafts) {
    draft.depth = sync || draft.by_library ? 1 : *depth;
    ++depth;
  }
}

void SegmentBuilder::make(std::list<Draft>& drafts) {
  const roles::Roles& roles = given_.roles;
  const std::uint32_t first_token = memory_.next_token;
  state_bytes_ = counter_bytes;
  for (Draft& draft : drafts) measure(draft);
  tokens_ = memory_.next_token - first_token;
  const auto& writers = roles.nodes[static_cast<std::size_t>(roles.node)].writers;
  const std::int64_t queues_end = state_bytes_ + std::ssize(writers) * queue_bytes();
  data_offset_ = (queues_end + block::page_bytes - 1) / block::page_bytes * block::page_bytes;
  add_messages(drafts);
  const std::int64_t bytes = data_offset_ + data_bytes_ + all_messages_;

  memory_.end_mapping();  // of earlier segments, whose pages may not be there yet
  transport::together(roles.world, [&] {
    if (roles.leads_node()) staging::require_room(staging::memory_room(), bytes, roles.node_size);
  });
  StagingSegment& made = memory_.segments.emplace_back();
  made.memory = transport::share_memory(roles, std::max<std::int64_t>(bytes, block::page_bytes));
  made.data_offset = data_offset_;
  made.allocated = reinterpret_cast<std::atomic<std::uint32_t>*>(made.memory.data());
  memory_.bytes += data_bytes_ + all_messages_;
  for (Draft& draft : drafts) place(draft);
  transport::barrier(roles.local);
}

std::map<int, staging::ReadyQueue> SegmentBuilder::queues() const {
  std::map<int, staging::ReadyQueue> queues;
  for (const roles::Writer& writer : given_.roles.nodes[static_cast<std::size_t>(given_.roles.node)].writers)
    queues.emplace(
        writer.rank,
        staging::ReadyQueue(segment().memory.data() + state_bytes_ + std::ssize(queues) * queue_bytes(), tokens_));
  return queues;
}

std::int64_t SegmentBuilder::queue_bytes() const {
  return staging::ReadyQueue::bytes_for(tokens_);
}

// ---- how much

void SegmentBuilder::measure(Draft& draft) {
  for (ShareDraft& share : draft.shares) measure_share(draft, share);
  if (claimed_blocks(draft) == 0) return;
  draft.shares.front().claims = state_bytes_;
  state_bytes_ += staging::RecordClaims::bytes_for(draft.depth);
}

void SegmentBuilder::measure_share(const Draft& draft, ShareDraft& share) {
  share.record_states = state_bytes_;
  if (draft.follows_first(share)) {
    share.plan->first_token = draft.shares.front().plan->first_token;
    state_bytes_ += static_cast<std::int64_t>(sizeof(staging::RingProgress));
    return;
  }
  const staging::RingShape records = records_of(draft, share);
  const staging::RingShape fixed = fixed_of(share);
  share.fixed_states = share.record_states + records.state_bytes();
  state_bytes_ = share.fixed_states + fixed.state_bytes();
  share.record_data = data_bytes_;
  share.fixed_data = share.record_data + records.data_bytes();
  data_bytes_ = share.fixed_data + fixed.data_bytes();
  share.plan->first_token = memory_.next_token;
  // Blocks for a format library do not go through the queue.
  if (!draft.by_library)
    memory_.next_token += static_cast<std::uint32_t>(records.depth * records.blocks + fixed.blocks);
}

void SegmentBuilder::add_messages(const std::list<Draft>& drafts) {
  std::int64_t own = 0;
  for (const Draft& draft : drafts) own += draft.messages.bytes;
  messages_offset_ = data_offset_ + data_bytes_ + transport::offset_in_order(given_.roles.local, own, all_messages_);
}

// ---- where

void SegmentBuilder::place(Draft& draft) const {
  for (ShareDraft& share : draft.shares)
    if (draft.follows_first(share))
      place_progress(draft, share);
    else
      place_share(draft, share);
  const std::int64_t claimed = claimed_blocks(draft);
  if (claimed == 0) return;
  std::byte* claims = segment().memory.data() + draft.shares.front().claims;
  for (ShareDraft& share : draft.shares) share.plan->claims = staging::RecordClaims(draft.depth, claimed, claims);
}

void SegmentBuilder::place_progress(const Draft& draft, ShareDraft& share) const {
  block::CollectionPlan& plan = *share.plan;
  plan.record_ring =
      draft.shares.front().plan->record_ring.with_progress(segment().memory.data() + share.record_states);
  if (given_.roles.leads_node()) plan.record_ring.initialise_due(first_due());
}

void SegmentBuilder::place_share(const Draft& draft, ShareDraft& share) const {
  block::CollectionPlan& plan = *share.plan;
  std::byte* memory = segment().memory.data();
  std::byte* data = memory + data_offset_;
  plan.record_ring =
      staging::BlockRing(records_of(draft, share), memory + share.record_states, data + share.record_data);
  plan.fixed_ring = staging::BlockRing(fixed_of(share), memory + share.fixed_states, data + share.fixed_data);
  if (!given_.roles.leads_node()) return;
  plan.record_ring.initialise(first_due());
  plan.fixed_ring.initialise();
}

std::int64_t SegmentBuilder::first_due() const {
  const bool holds = given_.settings.drain == config::Drain::on_flush;
  return holds ? staging::BlockRing::nothing : staging::BlockRing::all_records;
}

}  // namespace thalweg::client
