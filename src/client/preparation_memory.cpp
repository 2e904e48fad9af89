// Preparation: the staging segment of a node, and handing collections over to the writer.
#include <algorithm>

#include "base/thread.hpp"
#include "client/preparation.hpp"
#include "client/staging_segment.hpp"
#include "staging/budget.hpp"
#include "staging/memory_room.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {

// ---- memory

void Preparation::count_messages(Draft& draft) {
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    std::map<std::pair<bool, int>, std::int64_t> cells;
    for (const auto& piece : draft.plans[v]->outgoing)
      cells[{true, piece.peer}] += variable_box(*draft.collection, variable, piece.piece.region).cells();
    for (const auto& piece : draft.plans[v]->incoming)
      cells[{false, piece.peer}] += variable_box(*draft.collection, variable, piece.piece.region).cells();
    for (const auto& [peer, count] : cells) {
      const std::int64_t bytes = transport::message_bytes(count, draft.collection->variable(variable).type);
      draft.message_bytes += transport::channel_buffers * bytes;
      draft.longest_message_bytes = std::max(draft.longest_message_bytes, bytes);
    }
  }
}

// Before blocks are described: what is to be known of them grows with their chunks. What is a little too large is
// refused when it is known how much all collections want (share_budget).
void Preparation::require_room_for_blocks(const Draft& draft) const {
  const std::int64_t budget = core_.settings.staging;
  for (int v = 0; v < std::ssize(draft.plans); ++v) {
    const catalog::Variable& of = draft.collection->variable(v);
    for (const transport::OwnedDomain& owned : draft.plans[static_cast<std::size_t>(v)]->owned) {
      if (!draft.set.empty() && part_of(draft, owned.domain) == nullptr) continue;
      const std::int64_t bytes =
          domain_box(draft, v, owned.domain).cells() * static_cast<std::int64_t>(size_of(of.type));
      if (bytes / 16 > budget)
        fail(THALWEG_ERROR_MEMORY,
             "staging: {} ({} bytes) a node cannot hold {} of variable '{}' of collection '{}', which takes {} ({} "
             "bytes) on the node of rank {}; set 'staging: {} MiB' or more, or use more nodes",
             staging::readable_bytes(budget), budget, of.has_record ? "one record" : "the values", of.name,
             draft.collection->name, staging::readable_bytes(bytes), bytes, core_.roles->rank,
             (bytes + (1 << 20) - 1) >> 20);
    }
  }
}

void Preparation::share_budget() {
  const roles::Roles& roles = *core_.roles;
  std::vector<staging::Demand> demands;
  for (Draft& draft : drafts_) {
    const std::int64_t messages = transport::sum(roles.local, draft.message_bytes);
    std::int64_t record_bytes = 0;
    std::int64_t fixed_bytes = 0;
    for (const ShareDraft& share : draft.shares) {
      if (follows_first(draft, share)) continue;
      record_bytes += share.plan->record_blocks.empty() ? 0 : share.record_slot.bytes;
      fixed_bytes += share.plan->fixed_blocks.empty() ? 0 : share.fixed_slot.bytes;
    }
    demands.push_back({draft.collection->name, record_bytes, fixed_bytes + messages,
                       draft.by_library ? 1 : draft.collection->declaration.settings().records_ahead});
  }
  std::vector<std::int64_t> depths;
  transport::together(roles.world, [&] {
    for (const Draft& draft : drafts_) transport::check_message(draft.longest_message_bytes, draft.collection->name);
    depths = staging::share_budget(demands, core_.settings.staging - core_.memory.bytes);
  });
  const bool sync = core_.settings.writers == config::Writers::sync;
  for (std::size_t i = 0; i < drafts_.size(); ++i) drafts_[i].depth = sync || drafts_[i].by_library ? 1 : depths[i];
}

void Preparation::place_rings(Draft& draft, std::byte* memory) {
  for (ShareDraft& share : draft.shares)
    if (follows_first(draft, share))
      place_progress(draft, share, memory);
    else
      place_share(draft, share, memory);
  if (draft.collection->by_claims) place_claims(draft, memory);
}

// By claims the blocks of records are those of the first share, for all writers of the node.
bool Preparation::follows_first(const Draft& draft, const ShareDraft& share) const {
  return draft.collection->by_claims && &share != &draft.shares.front() && !share.plan->record_blocks.empty();
}

void Preparation::place_progress(const Draft& draft, ShareDraft& share, std::byte* memory) {
  store::CollectionPlan& plan = *share.plan;
  const store::CollectionPlan& first = *draft.shares.front().plan;
  plan.first_token = first.first_token;
  if (memory == nullptr) {  // measuring
    share.record_states = state_bytes_;
    state_bytes_ += static_cast<std::int64_t>(sizeof(staging::RingProgress));
    return;
  }
  plan.record_ring = first.record_ring.with_progress(memory + share.record_states);
  if (core_.roles->leads_node()) plan.record_ring.initialise_due(first_due());
}

void Preparation::place_claims(Draft& draft, std::byte* memory) {
  ShareDraft& first = draft.shares.front();
  const auto& blocks = first.plan->record_blocks;
  const auto fed = std::ranges::count_if(blocks.begin() + first.plan->kept_blocks, blocks.end(),
                                         [](const store::PlannedBlock& block) { return block.expected > 0; });
  if (draft.shares.size() < 2 || fed == 0) return;
  if (memory == nullptr) {  // measuring
    first.claims = state_bytes_;
    state_bytes_ += staging::RecordClaims::bytes_for(draft.depth);
    return;
  }
  for (ShareDraft& share : draft.shares)
    share.plan->claims = staging::RecordClaims(draft.depth, fed, memory + first.claims);
}

std::int64_t Preparation::first_due() const {
  const bool holds = core_.settings.drain == config::Drain::on_flush;
  return holds ? staging::BlockRing::nothing : staging::BlockRing::all_records;
}

// The table of last puts is in the first share's ring.
void Preparation::place_share(const Draft& draft, ShareDraft& share, std::byte* memory) {
  const roles::Roles& roles = *core_.roles;
  store::CollectionPlan& plan = *share.plan;
  const std::int64_t variables = &share == &draft.shares.front() ? std::ssize(draft.plans) : 0;
  const staging::RingShape records{draft.depth, static_cast<std::int64_t>(plan.record_blocks.size()),
                                   plan.record_blocks.empty() ? 0 : share.record_slot.bytes, variables,
                                   roles.node_size};
  const staging::RingShape fixed{1, static_cast<std::int64_t>(plan.fixed_blocks.size()),
                                 plan.fixed_blocks.empty() ? 0 : share.fixed_slot.bytes, 0, 0};
  if (memory == nullptr) {  // measuring
    share.record_states = state_bytes_;
    share.fixed_states = share.record_states + records.state_bytes();
    state_bytes_ = share.fixed_states + fixed.state_bytes();
    share.record_data = data_bytes_;
    share.fixed_data = share.record_data + records.data_bytes();
    data_bytes_ = share.fixed_data + fixed.data_bytes();
    plan.first_token = core_.memory.next_token;
    // Blocks for a format library do not go through the queue.
    if (!draft.by_library)
      core_.memory.next_token += static_cast<std::uint32_t>(records.depth * records.blocks + fixed.blocks);
    return;
  }
  std::byte* data = memory + core_.memory.segments.back().data_offset;
  plan.record_ring = staging::BlockRing(records, memory + share.record_states, data + share.record_data);
  plan.fixed_ring = staging::BlockRing(fixed, memory + share.fixed_states, data + share.fixed_data);
  if (!roles.leads_node()) return;
  plan.record_ring.initialise(first_due());
  plan.fixed_ring.initialise();
}

// Segment: counter of mapped shares | block states | ready queues | (page) blocks | messages of each rank.
void Preparation::make_area() {
  const roles::Roles& roles = *core_.roles;
  state_bytes_ = 64;
  const std::uint32_t first_token = core_.memory.next_token;
  for (Draft& draft : drafts_) place_rings(draft, nullptr);
  const std::int64_t tokens = core_.memory.next_token - first_token;
  queue_offset_ = state_bytes_;
  const auto& writers = roles.nodes[static_cast<std::size_t>(roles.node)].writers;
  const std::int64_t queue_bytes = staging::ReadyQueue::bytes_for(tokens);
  std::int64_t data_offset = queue_offset_ + std::ssize(writers) * queue_bytes;
  data_offset = (data_offset + store::page_bytes - 1) / store::page_bytes * store::page_bytes;
  std::int64_t own_messages = 0;
  for (const Draft& draft : drafts_) own_messages += draft.message_bytes;
  std::int64_t all_messages = 0;
  messages_offset_ = data_offset + data_bytes_ + transport::offset_in_order(roles.local, own_messages, all_messages);
  const std::int64_t bytes = data_offset + data_bytes_ + all_messages;

  core_.memory.end_mapping();  // of earlier areas, whose pages may not be there yet
  transport::together(roles.world, [&] {
    if (roles.leads_node()) staging::require_room(staging::memory_room(), bytes, roles.node_size);
  });
  StagingSegment& area = core_.memory.segments.emplace_back();
  area.memory = transport::share_memory(roles, std::max<std::int64_t>(bytes, store::page_bytes));
  area.data_offset = data_offset;
  area.allocated = reinterpret_cast<std::atomic<std::uint32_t>*>(area.memory.data());
  core_.memory.bytes += data_bytes_ + all_messages;
  for (Draft& draft : drafts_) place_rings(draft, area.memory.data());
  transport::barrier(roles.local);

  std::map<int, staging::ReadyQueue> queues;  // of each rank that writes here
  for (const roles::Writer& writer : writers)
    queues.emplace(writer.rank,
                   staging::ReadyQueue(area.memory.data() + queue_offset_ + std::ssize(queues) * queue_bytes, tokens));
  if (core_.writer.port)
    core_.writer.port->listen_to(queues.at(roles.rank), static_cast<std::uint32_t>(core_.declared.ready.size()));
  std::byte* messages = area.memory.data() + messages_offset_;
  for (Draft& draft : drafts_) {
    for (const ShareDraft& share : draft.shares) {
      const auto queue = queues.find(share.writer);
      const auto place = std::ranges::find(roles.node_members, share.writer) - roles.node_members.begin();
      draft.collection->shares.push_back({share.writer, static_cast<int>(place), share.participates, share.plan,
                                          queue == queues.end() ? staging::ReadyQueue() : queue->second});
    }
    plan_puts(draft, messages);
    hand_over(draft);
  }
  core_.memory.map_newest(roles.node_rank, roles.node_size);
}

// ---- handing over

namespace {

// Records below this are placed together in formats with chunks, unless the configuration says otherwise: the format
// library's work for one (some 10 microseconds a variable) would cost the model more than the data, and Zarr writes
// several objects for each commit.
constexpr std::int64_t small_record_bytes = std::int64_t{1} << 20;

bool has_small_records(const Collection& collection) {
  std::int64_t bytes = 0;
  for (const Share& share : collection.shares) {
    for (const store::PlannedBlock& block : share.plan->record_blocks) bytes += block.map.bytes;
    if (collection.by_claims) break;  // all have the same
  }
  const auto& below = collection.declaration.settings().write_behind.below;
  const bool is_chunked = collection.shares.front().plan->chunked;
  return bytes < below.value_or(is_chunked ? small_record_bytes : 0) && !collection.procedure;
}

}  // namespace

void Preparation::hand_over(Draft& draft) {
  Collection& collection = *draft.collection;
  const bool is_small = has_small_records(collection);
  for (ShareDraft& share : draft.shares) share.plan->whole_records = is_small;
  const auto own = std::ranges::find(collection.shares, core_.roles->rank, &Share::writer);
  const bool has_part = own != collection.shares.end() && own->participates;
  collection.plan = has_part ? own->plan : collection.shares.front().plan;
  collection.is_ready = true;
  core_.declared.ready.push_back(&collection);
  if (has_part && own->plan->owns_files) note_engine(draft);
  if (core_.roles->self.writes) hand_to_engine(collection, has_part && !draft.by_library);
  if (draft.by_library) hand_to_library(draft);
}

// The engine numbers collections as they come, so it hears also of those of which it writes nothing.
void Preparation::hand_to_engine(Collection& collection, bool writes) {
  store::CollectionPlan nothing;
  nothing.name = collection.name;
  core_.writer.book->order(store::AddCollection{writes ? *collection.plan : std::move(nothing)});
  core_.files.add(writes ? std::make_unique<FileDesk>(collection, *core_.roles, *core_.writer.book, core_.notices,
                                                      core_.measured.counters)
                         : nullptr);
}

}  // namespace thalweg::client
