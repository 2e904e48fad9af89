#include "session/end_of_definitions.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "files/file_coordinator.hpp"
#include "files/format_file_maker.hpp"
#include "planning/mpiio_part.hpp"
#include "planning/pattern.hpp"
#include "planning/plan_collection.hpp"
#include "planning/segment_builder.hpp"
#include "planning/transfer_plan.hpp"
#include "planning/writer_choice.hpp"
#include "session/open_collection.hpp"
#include "transport/agreement.hpp"

namespace thalweg::session {
namespace {

std::string settings_text(const config::Settings& settings) {
  std::string text;
  for (const config::Effective& effective : settings.effective)
    text += fmt::format("{} = {}\n", effective.key, effective.value);
  return text;
}

void require_procedure(const Collection& collection) {
  if (collection.declaration.definition().format->traits.makes_files() || collection.callback) return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': its format is 'user', but no procedure was set that writes it; call thalweg_set_procedure "
       "(C++ set_procedure, Fortran thw_set_procedure) on every rank before definitions end, or, with servers, "
       "thalweg_register_procedure before thalweg_start; or set another format",
       collection.name);
}

// All ranks declared the same.
void agree_on_definitions(const Declared& declared, const planning::Given& given) {
  std::string names;
  for (const Collection& collection : declared.collections) names += fmt::format("collection '{}'\n", collection.name);
  std::vector<transport::Described> all = {{"collections opened", names}, {"settings", settings_text(given.settings)}};
  for (const Collection& collection : declared.collections)
    if (!collection.is_ready())
      all.push_back(
          {fmt::format("definitions of collection '{}'", collection.name), collection.declaration.description()});
  transport::check_same(given.roles.world, all);
}

// Collections whose definitions end now, and of each what planning has found.
struct Starting {
  std::vector<Collection*> collections;
  std::list<planning::Draft> drafts;
};

void start_draft(const planning::Given& given, Collection& collection, planning::WriterLoads& loads,
                 Starting& starting) {
  collection.declaration.finish(given.settings.calendar, given.settings.reference_date);
  require_procedure(collection);
  starting.collections.push_back(&collection);
  const block::Callback* procedure = collection.callback ? &*collection.callback : nullptr;
  planning::Draft& draft =
      starting.drafts.emplace_back(planning::Subject{given, collection, collection.declaration, procedure});
  choose_writers(draft, loads);
  choose_writing(draft, loads);
  choose_shapes(draft);
}

// What writers get counts on all ranks or on none.
Starting start_drafts(Core& core, const planning::Given& given, planning::WriterLoads& loads) {
  agree_on_definitions(core.declared, given);
  Starting starting;
  planning::WriterLoads chosen = loads;
  transport::together(given.roles.world, [&] {
    for (Collection& collection : core.declared.collections)
      if (!collection.is_ready()) start_draft(given, collection, chosen, starting);
  });
  loads = std::move(chosen);
  return starting;
}

// Records below this are placed together in formats with chunks, unless the configuration says otherwise: the format
// library's work for one (some 10 microseconds a variable) would cost the model more than the data, and Zarr writes
// several objects for each commit.
constexpr std::int64_t small_record_bytes = std::int64_t{1} << 20;

bool has_small_records(const planning::Draft& draft) {
  std::int64_t bytes = 0;
  for (const planning::PartDraft& part : draft.writer_parts) {
    for (const block::PlannedBlock& block : part.plan->record_blocks) bytes += block.map.bytes;
    if (draft.file_plan.assigns_records) break;  // all have the same
  }
  const auto& below = draft.declaration.settings().write_behind.below;
  return bytes < below.value_or(draft.chunked ? small_record_bytes : 0) && draft.callback == nullptr;
}

// What the writers of this node have of the collection; true: this rank has a part of it.
bool make_parts(planning::Draft& draft, const std::map<int, staging::ReadyQueue>& queues, block::NodeBlocks& blocks) {
  const std::vector<int>& members = draft.given.roles.node_members;
  const bool is_small = has_small_records(draft);
  for (const planning::PartDraft& part : draft.writer_parts) {
    part.plan->whole_records = is_small;
    const auto queue = queues.find(part.writer);
    const auto place = std::ranges::find(members, part.writer) - members.begin();
    blocks.parts.push_back({part.writer, static_cast<int>(place), part.participates, part.plan,
                            queue == queues.end() ? staging::ReadyQueue() : queue->second});
  }
  const auto own = std::ranges::find(blocks.parts, draft.given.roles.rank, &block::WriterPart::writer);
  const bool has_part = own != blocks.parts.end() && own->participates;
  blocks.own = has_part ? own->plan : blocks.parts.front().plan;
  blocks.by_mpiio = draft.by_mpiio;
  blocks.policy = draft.given.settings.assign;
  return has_part;
}

std::unique_ptr<files::FileCoordinator> coordinator_of(Core& core, const Collection& collection) {
  const files::FileContext context{collection.series(), collection.file_plan, core.roles->rank,      core.roles->node,
                                   *core.writer.book,   core.file_messages,   core.measured.counters};
  return std::make_unique<files::FileCoordinator>(
      context, std::make_unique<files::FormatFileMaker>(collection.series(), collection.file_plan));
}

// The engine numbers collections as they come, so it hears also of those of which it writes nothing.
void hand_to_engine(Core& core, Collection& collection, bool writes) {
  block::CollectionPlan nothing;
  nothing.name = collection.name;
  core.writer.book->send(block::AddCollection{writes ? *collection.blocks.own : std::move(nothing)});
  core.files.add(writes ? coordinator_of(core, collection) : nullptr);
}

void hand_over(Core& core, Collection& collection, planning::Draft& draft, bool has_part) {
  collection.file_plan = std::move(draft.file_plan);
  collection.file_plan.definition = draft.definition;
  collection.file_plan.blocks = collection.blocks.own;
  collection.inboxes.is_open = true;
  core.declared.ready.push_back(&collection);
  core.health.groups.add(collection.standing);
  core.puts.sender.add(collection.puts, !collection.inboxes.all.empty());
  core.puts.fixed.add(collection.puts);
  if (std::ranges::all_of(collection.inboxes.all, &receive::Inbox::has_record))
    collection.blocks.settle(core.roles->node_rank, staging::SettledFiles::By::receipts,
                             staging::BlockRing::all_moments);
  if (has_part && collection.blocks.own->files.owned) note_engine(draft);
  if (core.roles->self.writes) hand_to_engine(core, collection, has_part && !draft.by_mpiio);
  if (!draft.by_mpiio) return;
  if (auto callers = planning::mpiio_callers(draft))
    collection.mpiio = std::make_unique<files::MpiioFiles>(collection.series(), collection.file_plan, *core.roles,
                                                           std::move(*callers), core.measured.counters);
}

}  // namespace

void prepare_collections(Core& core, const planning::Given& given, planning::PlanBook& plans,
                         planning::WriterLoads& loads, std::int64_t kept_bytes) {
  planning::PointCuts cuts;
  const planning::AtStorage at_storage = [&core](const std::function<void()>& work) { core.together_at_storage(work); };
  Starting starting = start_drafts(core, given, loads);
  plan_collections(starting.drafts, plans, cuts, at_storage);
  planning::SegmentBuilder segment(given, core.memory);
  segment.share_budget(starting.drafts, kept_bytes);
  segment.make(starting.drafts);
  const std::map<int, staging::ReadyQueue> queues = segment.queues();
  if (core.writer.engine)
    core.writer.engine->listen_to(queues.at(core.roles->rank), static_cast<std::uint32_t>(core.declared.ready.size()));
  planning::MessageRoom room{segment.messages(), core.memory.next_channel_tag};
  auto draft = starting.drafts.begin();
  for (Collection* collection : starting.collections) {
    const bool has_part = make_parts(*draft, queues, collection->blocks);
    open_puts(*collection, plan_transfers(*draft, cuts, room), *core.roles, core.declared, core.receiver);
    hand_over(core, *collection, *draft++, has_part);
  }
  core.memory.next_channel_tag = room.next_tag;
  core.memory.map_newest(core.roles->node_rank, core.roles->node_size);
}

// As many as those with many ranks have on each of their nodes, which is an estimate.
std::int64_t bytes_for_sketches(const Core& core) {
  std::int64_t bytes = 0;
  for (const Collection& sketch : core.declared.sketched)
    bytes += 2 * planning::bytes_of_record(sketch.declaration.definition());
  return bytes / std::max<std::int64_t>(1, std::ssize(core.roles->groups.writing_nodes(0)));
}

bool may_want_rooms_of_bursts(const Core& core) {
  if (core.memory.burst_bytes == 0) return false;
  std::int64_t wanted = 0;
  for (const Collection& collection : core.declared.collections)
    if (!collection.is_ready() && !collection.has_failed)
      wanted += 2 * planning::bytes_of_record(collection.declaration.definition());
  return wanted > core.settings.staging - core.memory.bytes - core.memory.burst_bytes;
}

}  // namespace thalweg::session
