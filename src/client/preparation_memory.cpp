// Preparation: the staging segment of a node, and handing collections over to the writer.
#include <algorithm>

#include "client/area.hpp"
#include "client/preparation.hpp"
#include "staging/budget.hpp"
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
    for (const auto& [peer, count] : cells)
      draft.message_bytes +=
          transport::channel_buffers * transport::message_bytes(count, draft.collection->variable(variable).type);
  }
}

void Preparation::share_budget() {
  const roles::Roles& roles = *session_.roles_;
  std::vector<staging::Demand> demands;
  for (Draft& draft : drafts_) {
    const std::int64_t messages = transport::sum(roles.local, draft.message_bytes);
    demands.push_back({draft.collection->name, draft.plan->record_blocks.empty() ? 0 : draft.record_slot.bytes,
                       (draft.plan->fixed_blocks.empty() ? 0 : draft.fixed_slot.bytes) + messages,
                       draft.by_library ? 1 : draft.collection->declaration.settings().records_ahead});
  }
  std::vector<std::int64_t> depths;
  transport::together(roles.world, [&] {
    depths = staging::share_budget(demands, session_.settings_.staging - session_.staging_bytes_);
  });
  const bool sync = session_.settings_.writers == config::Writers::sync;
  for (std::size_t i = 0; i < drafts_.size(); ++i) drafts_[i].depth = sync || drafts_[i].by_library ? 1 : depths[i];
}

void Preparation::place_rings(Draft& draft, std::byte* memory) {
  const roles::Roles& roles = *session_.roles_;
  store::CollectionPlan& plan = *draft.plan;
  const std::int64_t variables = static_cast<std::int64_t>(draft.plans.size());
  const staging::RingShape records{draft.depth, static_cast<std::int64_t>(plan.record_blocks.size()),
                                   plan.record_blocks.empty() ? 0 : draft.record_slot.bytes, variables,
                                   roles.node_size};
  const staging::RingShape fixed{1, static_cast<std::int64_t>(plan.fixed_blocks.size()),
                                 plan.fixed_blocks.empty() ? 0 : draft.fixed_slot.bytes, 0, 0};
  if (memory == nullptr) {  // measuring
    draft.record_states = state_bytes_;
    draft.fixed_states = draft.record_states + records.state_bytes();
    state_bytes_ = draft.fixed_states + fixed.state_bytes();
    draft.record_data = data_bytes_;
    draft.fixed_data = draft.record_data + records.data_bytes();
    data_bytes_ = draft.fixed_data + fixed.data_bytes();
    plan.first_token = session_.next_token_;
    // Blocks for a format library do not go through the queue.
    if (!draft.by_library)
      session_.next_token_ += static_cast<std::uint32_t>(records.depth * records.blocks + fixed.blocks);
    return;
  }
  std::byte* data = memory + session_.areas_.back().data_offset;
  plan.record_ring = staging::BlockRing(records, memory + draft.record_states, data + draft.record_data);
  plan.fixed_ring = staging::BlockRing(fixed, memory + draft.fixed_states, data + draft.fixed_data);
  if (!roles.leads_node()) return;
  const bool holds = session_.settings_.drain == config::Drain::on_flush;
  plan.record_ring.initialise(holds ? staging::BlockRing::nothing : staging::BlockRing::all_records);
  plan.fixed_ring.initialise();
}

// Segment: counter of mapped shares | block states | ready queues | (page) blocks | messages of each rank.
void Preparation::make_area() {
  const roles::Roles& roles = *session_.roles_;
  state_bytes_ = 64;
  const std::uint32_t first_token = session_.next_token_;
  for (Draft& draft : drafts_) place_rings(draft, nullptr);
  const std::int64_t tokens = session_.next_token_ - first_token;
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

  Session::Area& area = session_.areas_.emplace_back();
  area.memory = transport::share_memory(roles, std::max<std::int64_t>(bytes, store::page_bytes));
  area.data_offset = data_offset;
  area.allocated = reinterpret_cast<std::atomic<std::uint32_t>*>(area.memory.data());
  session_.staging_bytes_ += data_bytes_ + all_messages;
  for (Draft& draft : drafts_) place_rings(draft, area.memory.data());
  transport::barrier(roles.local);

  std::map<int, staging::ReadyQueue> queues;  // of each rank that writes here
  for (const roles::Writer& writer : writers)
    queues.emplace(writer.rank,
                   staging::ReadyQueue(area.memory.data() + queue_offset_ + std::ssize(queues) * queue_bytes, tokens));
  if (session_.writer_)
    session_.writer_->listen_to(queues.at(roles.rank), static_cast<std::uint32_t>(session_.ready_collections_.size()));
  std::byte* messages = area.memory.data() + messages_offset_;
  for (Draft& draft : drafts_) {
    const auto queue = queues.find(roles.writer_of(draft.collection->number, roles.node));
    if (queue != queues.end()) draft.collection->ready_queue = queue->second;
    plan_puts(draft, messages);
    hand_over(draft);
  }
  map_memory();
}

// ---- handing over

namespace {

// Records below this are placed together in formats with chunks, unless the configuration says otherwise: the format
// library's work for one (some 10 microseconds a variable) would cost the model more than the data, and Zarr writes
// several objects for each commit.
constexpr std::int64_t small_record_bytes = std::int64_t{1} << 20;

bool has_small_records(const Collection& collection, const store::CollectionPlan& plan) {
  std::int64_t bytes = 0;
  for (const store::PlannedBlock& block : plan.record_blocks) bytes += block.map.bytes;
  const auto& below = collection.declaration.settings().write_behind.below;
  return bytes < below.value_or(plan.chunked ? small_record_bytes : 0) && !collection.procedure;
}

}  // namespace

void Preparation::hand_over(Draft& draft) {
  Collection& collection = *draft.collection;
  draft.plan->whole_records = has_small_records(collection, *draft.plan);
  collection.plan = draft.plan;
  collection.is_ready = true;
  session_.ready_collections_.push_back(&collection);
  if (draft.plan->owns_files && session_.roles_->writes(collection.number)) note_engine(draft);
  if (draft.by_library) return hand_to_library(draft);
  if (!session_.roles_->self.writes) return;
  // What another server of the node writes is nothing to this one's writer, which only counts collections.
  const bool writes = session_.roles_->writes(collection.number);
  session_.book_->order(store::AddCollection{writes ? *draft.plan : store::nothing_of(draft.plan->name)});
  session_.desks_.push_back(collection.participates && writes
                                ? std::make_unique<FileDesk>(collection, *session_.roles_, *session_.book_,
                                                             session_.notices_, session_.counters_)
                                : nullptr);
}

// In the background: every client makes its share of the pages, and when all are made maps them all, so that no put
// meets a page that is not mapped.
void Preparation::map_memory() {
  Session::Area& area = session_.areas_.back();
  const roles::Roles& roles = *session_.roles_;
  const std::int64_t bytes = area.memory.bytes();
  session_.mapping_.emplace_back([&area, bytes, rank = roles.node_rank, size = roles.node_size] {
    const std::int64_t begin = bytes * rank / size;
    area.memory.allocate(begin, bytes * (rank + 1) / size - begin);
    auto* made = reinterpret_cast<staging::Word*>(area.allocated);
    if (made->fetch_add(1) + 1 == static_cast<std::uint32_t>(size)) staging::futex_wake_all(*made);
    for (int tries = 0; tries < 100; ++tries) {
      const std::uint32_t seen = made->load();
      if (seen >= static_cast<std::uint32_t>(size)) break;
      staging::futex_wait(*made, seen, 0.1);
    }
    area.memory.map(0, bytes);
  });
}

}  // namespace thalweg::client
