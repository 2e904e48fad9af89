#include "planning/segment_builder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "staging/budget.hpp"
#include "staging/memory_room.hpp"
#include "staging/settled_files.hpp"
#include "transport/agreement.hpp"
#include "transport/channel.hpp"
#include "transport/collective.hpp"

namespace thalweg::planning {
namespace {

staging::RingShape records_of(const Draft& draft, const PartDraft& part) {
  // The table of last puts is in the first part's ring.
  const std::int64_t variables = &part == &draft.writer_parts.front() ? std::ssize(draft.plans) : 0;
  const auto& blocks = part.plan->record_blocks;
  return {draft.depth.all(),
          static_cast<std::int64_t>(blocks.size()),
          blocks.empty() ? 0 : part.record_slot.bytes,
          variables,
          draft.given.roles.node_size,
          draft.depth.burst};
}

// What is encoded has a slot beside that of what clients put, which stays.
staging::RingShape fixed_of(const Draft& draft, const PartDraft& part) {
  const auto& blocks = part.plan->fixed_blocks;
  const auto is_encoded = [](const block::PlannedBlock& block) {
    return block.encoding.changes_size() || block.encoding.rounds();
  };
  const bool has_encoded = !draft.by_mpiio && std::ranges::any_of(blocks, is_encoded);
  return {has_encoded ? 2 : 1,
          static_cast<std::int64_t>(blocks.size()),
          blocks.empty() ? 0 : part.fixed_slot.bytes,
          staging::SettledFiles::ways,
          draft.given.roles.node_size,
          0};
}

// Blocks of a record that any one of a node's writers may write; 0: there is nothing to choose.
std::int64_t assigned_blocks(const Draft& draft) {
  if (!draft.file_plan.assigns_records || draft.writer_parts.size() < 2) return 0;
  const block::CollectionPlan& first = *draft.writer_parts.front().plan;
  return std::ranges::count_if(first.record_blocks.begin() + first.pinned_blocks, first.record_blocks.end(),
                               [](const block::PlannedBlock& block) { return !block.is_fill_only(); });
}

bool holds_one_record(const Draft& draft) {
  return draft.by_mpiio || draft.given.settings.writers == config::Writers::sync;
}

staging::Demand demand_of(const Draft& draft, std::int64_t message_bytes) {
  std::int64_t record_bytes = 0;
  std::int64_t fixed_bytes = 0;
  std::int64_t blocks = 0;
  for (const PartDraft& part : draft.writer_parts) {
    if (draft.follows_first(part)) continue;
    blocks += std::ssize(part.plan->record_blocks);
    record_bytes += part.plan->record_blocks.empty() ? 0 : part.record_slot.bytes;
    fixed_bytes += fixed_of(draft, part).data_bytes();
  }
  const config::CollectionSettings& settings = draft.declaration.settings();
  // The model is no further ahead of a cycle than it has files: a restart that is in memory alone is none.
  const std::int64_t wish = settings.records_ahead == 0 ? settings.cycle : settings.records_ahead;
  return {draft.identity.name, record_bytes, fixed_bytes + message_bytes, holds_one_record(draft) ? 1 : wish, blocks};
}

}  // namespace

void SegmentBuilder::share_budget(std::list<Draft>& drafts, std::int64_t kept_bytes) {
  std::vector<std::int64_t> of_node;  // bytes of each collection's messages, and the room that the leader finds
  for (const Draft& draft : drafts) of_node.push_back(draft.messages.bytes);
  of_node.push_back(given_.roles.leads_node() ? staging::memory_room().bytes - transport::PromisedBytes::all() : 0);
  transport::sum(given_.roles.local, of_node);
  const std::int64_t room = of_node.back();
  of_node.pop_back();
  all_messages_ = std::accumulate(of_node.begin(), of_node.end(), std::int64_t{0});
  std::vector<staging::Demand> demands;
  for (const Draft& draft : drafts) demands.push_back(demand_of(draft, of_node[demands.size()]));
  const std::int64_t left = given_.settings.staging - memory_.bytes - memory_.burst_bytes;
  const std::int64_t wanted = staging::wanted_bytes(demands);
  if (wanted > left && memory_.burst_bytes > 0) memory_.shrink_bursts(given_.roles, wanted - left);
  std::vector<std::int64_t> depths;
  transport::together(given_.roles.world, [&] {
    for (const Draft& draft : drafts) transport::check_message(draft.messages.longest_bytes, draft.identity.name);
    depths = staging::share_budget(demands, given_.settings.staging, memory_.bytes + memory_.burst_bytes, kept_bytes);
  });
  auto depth = depths.begin();
  for (Draft& draft : drafts) draft.depth.usual = *depth++;
  share_for_bursts(drafts, demands, depths, room);
}

// Half of what is left, of the budget and of the machine's room: collections that are defined later get the other half
// without taking anything away.
void SegmentBuilder::share_for_bursts(std::list<Draft>& drafts, const std::vector<staging::Demand>& demands,
                                      const std::vector<std::int64_t>& depths, std::int64_t room) {
  const std::int64_t needed = staging::bytes_of(demands, depths);
  const std::int64_t left = given_.settings.staging - memory_.bytes - memory_.burst_bytes - needed;
  const std::int64_t most = std::max<std::int64_t>(0, std::min(left, room - needed) / 2);
  const std::vector<std::int64_t> slots = staging::share_for_bursts(demands, depths, most);
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) bytes += slots[i] * demands[i].record_bytes;
  if (bytes == 0 || !memory_.add_burst(given_.roles, bytes)) return;
  auto slot = slots.begin();
  for (Draft& draft : drafts) draft.depth.burst = *slot++;
}

void SegmentBuilder::make(std::list<Draft>& drafts) {
  const roles::Roles& roles = given_.roles;
  const staging::BlockId first = memory_.next_block;
  for (Draft& draft : drafts) measure(draft);
  blocks_ = memory_.next_block - first;
  const std::int64_t queues_end = state_bytes_ + std::ssize(roles.groups.writers_on(roles.node)) * queue_bytes();
  data_offset_ = (queues_end + block::page_bytes - 1) / block::page_bytes * block::page_bytes;
  add_messages(drafts);
  const std::int64_t bytes = data_offset_ + data_bytes_ + all_messages_;

  memory_.end_mapping();  // of earlier segments, whose pages may not be there yet
  memory_.add(roles, std::max<std::int64_t>(bytes, block::page_bytes), given_.settings.staging);
  memory_.bytes += data_bytes_ + all_messages_;
  if (roles.leads_node()) std::memset(segment().data(), 0, static_cast<std::size_t>(data_offset_));
  for (Draft& draft : drafts) place(draft);
  transport::barrier(roles.local);
}

std::map<int, staging::ReadyQueue> SegmentBuilder::queues() const {
  std::map<int, staging::ReadyQueue> queues;
  for (const roles::GroupMember& writer : given_.roles.groups.writers_on(given_.roles.node))
    queues.emplace(writer.rank,
                   staging::ReadyQueue(segment().data() + state_bytes_ + std::ssize(queues) * queue_bytes(), blocks_));
  return queues;
}

std::int64_t SegmentBuilder::queue_bytes() const {
  return staging::ReadyQueue::bytes_for(blocks_);
}

// ---- how much

void SegmentBuilder::measure(Draft& draft) {
  for (PartDraft& part : draft.writer_parts) measure_part(draft, part);
  if (assigned_blocks(draft) == 0) return;
  draft.writer_parts.front().assignment = state_bytes_;
  state_bytes_ += staging::RecordAssignment::bytes_for(draft.depth.all());
}

void SegmentBuilder::measure_part(const Draft& draft, PartDraft& part) {
  part.record_states = state_bytes_;
  if (draft.follows_first(part)) {
    state_bytes_ += static_cast<std::int64_t>(sizeof(staging::RingProgress));
    return;
  }
  const staging::RingShape records = records_of(draft, part);
  const staging::RingShape fixed = fixed_of(draft, part);
  part.fixed_states = part.record_states + records.state_bytes();
  state_bytes_ = part.fixed_states + fixed.state_bytes();
  part.record_data = data_bytes_;
  part.burst_data = burst_bytes_;
  burst_bytes_ += records.burst_bytes();
  part.fixed_data = part.record_data + records.data_bytes();
  data_bytes_ = part.fixed_data + fixed.data_bytes();
  part.first_block = memory_.next_block;
  // Blocks for a format library do not go through the queue.
  if (!draft.by_mpiio) memory_.next_block = memory_.next_block + (records.depth * records.blocks + fixed.blocks);
}

void SegmentBuilder::add_messages(const std::list<Draft>& drafts) {
  std::int64_t own = 0;
  for (const Draft& draft : drafts) own += draft.messages.bytes;
  messages_offset_ = data_offset_ + data_bytes_;
  if (all_messages_ > 0) messages_offset_ += transport::offset_in_order(given_.roles.local, own);
}

// ---- where

void SegmentBuilder::place(Draft& draft) const {
  for (PartDraft& part : draft.writer_parts)
    if (draft.follows_first(part))
      place_progress(draft, part);
    else
      place_part(draft, part);
  const std::int64_t assigned = assigned_blocks(draft);
  if (assigned == 0) return;
  std::byte* cells = segment().data() + draft.writer_parts.front().assignment;
  for (PartDraft& part : draft.writer_parts)
    part.plan->assignment = staging::RecordAssignment(draft.depth.all(), assigned, cells);
}

void SegmentBuilder::place_progress(const Draft& draft, PartDraft& part) const {
  const staging::BlockRings& first = draft.writer_parts.front().plan->rings;
  const staging::BlockRing ring = first.moments().with_progress(segment().data() + part.record_states);
  part.plan->rings = {ring, {}, first.first_id()};
  if (given_.roles.leads_node()) ring.initialise_due(first_due());
}

void SegmentBuilder::place_part(const Draft& draft, PartDraft& part) const {
  std::byte* memory = segment().data();
  std::byte* data = memory + data_offset_;
  const staging::RingShape shape = records_of(draft, part);
  std::byte* burst = shape.burst_slots == 0 ? nullptr : memory_.bursts.back().memory.data() + part.burst_data;
  staging::BlockRing moments(shape, memory + part.record_states, data + part.record_data, burst);
  staging::BlockRing fixed(fixed_of(draft, part), memory + part.fixed_states, data + part.fixed_data);
  part.plan->rings = {moments, fixed, part.first_block};
  if (burst != nullptr) memory_.bursts.back().rings.push_back(moments);
  if (!given_.roles.leads_node()) return;
  moments.initialise(first_due());
  fixed.initialise();
}

std::int64_t SegmentBuilder::first_due() const {
  const bool holds = given_.settings.drain == config::Drain::on_flush;
  return holds ? staging::BlockRing::nothing : staging::BlockRing::all_moments;
}

}  // namespace thalweg::planning
