#include "client/end_of_definitions.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "client/block_builder.hpp"
#include "client/chunk_choice.hpp"
#include "client/domain_choice.hpp"
#include "client/draft.hpp"
#include "client/file_probe.hpp"
#include "client/library_plan.hpp"
#include "client/pattern.hpp"
#include "client/plan_book.hpp"
#include "client/put_plan.hpp"
#include "client/segment_builder.hpp"
#include "client/set_cut.hpp"
#include "client/writer_choice.hpp"
#include "client/writer_parts.hpp"
#include "transport/agreement.hpp"

namespace thalweg::client {
namespace {

std::string settings_text(const config::Settings& settings) {
  std::string text;
  for (const config::Effective& effective : settings.effective)
    text += fmt::format("{} = {}\n", effective.key, effective.value);
  return text;
}

void require_procedure(const Collection& collection) {
  if (collection.declaration.definition().format->traits.makes_files() || collection.procedure) return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': its format is 'user', but no procedure was set that writes it; call thalweg_set_procedure "
       "(C++ set_procedure, Fortran thw_set_procedure) on every rank before definitions end, or, with servers, "
       "thalweg_register_procedure before thalweg_start; or set another format",
       collection.name);
}

// All ranks declared the same, and what the configuration says fits it.
void agree_on_definitions(const Given& given, Collection& collection) {
  const roles::Roles& roles = given.roles;
  transport::check_same(roles.world, fmt::format("definitions of collection '{}'", collection.name),
                        collection.declaration.description());
  transport::together(roles.world, [&] {
    collection.declaration.finish(given.settings.calendar, given.settings.reference_date);
    require_procedure(collection);
  });
}

std::list<Draft> start_drafts(Core& core, const Given& given, WriterLoads& loads) {
  const roles::Roles& roles = given.roles;
  transport::check_same(roles.world, "settings", settings_text(given.settings));
  std::string names;
  for (const Collection& collection : core.declared.collections)
    names += fmt::format("collection '{}'\n", collection.name);
  transport::check_same(roles.world, "collections opened", names);
  std::list<Draft> drafts;
  for (Collection& collection : core.declared.collections) {
    if (collection.is_ready) continue;
    agree_on_definitions(given, collection);
    Draft& draft = drafts.emplace_back(given, collection);
    transport::together(roles.world, [&] { choose_writers(draft, loads); });
    choose_writing(draft, loads);
  }
  return drafts;
}

// What does not fit is said before anything collective depends on it, or has a length that follows from the sizes.
// Files of a set are smaller than the whole, and looked at when they are made.
void check_sizes(const Draft& draft) {
  const catalog::Definition& definition = draft.collection.declaration.definition();
  formats::check_sizes(definition);
  if (!makes_set(draft.pattern)) formats::check_extents(definition);
}

void choose_cuts(Draft& draft) {
  const auto variables = static_cast<int>(draft.collection.declaration.definition().variables.size());
  for (int v = 0; v < variables; ++v)
    if (draft.chunked)
      choose_chunk(draft, v);
    else if (const int decomposition = draft.collection.declaration.model_side(v).decomposition; decomposition >= 0)
      choose_domains(draft, decomposition);
}

void choose_plans(Draft& draft, PlanBook& plans) {
  const roles::Roles& roles = draft.given.roles;
  transport::together(roles.world, [&] { check_sizes(draft); });
  plans.gather_boundaries(draft);
  if (makes_set(draft.pattern)) cut_set(draft, plans);
  transport::together(roles.world, [&] { choose_cuts(draft); });
  for (int v = 0; v < std::ssize(draft.collection.declaration.definition().variables); ++v)
    draft.plans.push_back(plans.of(draft, v));
  divide_blocks(draft);
  if (draft.chunked && roles.rank == 0) explain_chunks(draft);
}

void plan_files_and_blocks(Draft& draft, PointCuts& cuts, const AtStorage& at_storage) {
  probe_files(draft, at_storage);
  describe_files(draft);
  plan_blocks(draft, cuts);
  decide_who_takes_part(draft);
  lay_out(draft);
  count_messages(draft);
}

// Records below this are placed together in formats with chunks, unless the configuration says otherwise: the format
// library's work for one (some 10 microseconds a variable) would cost the model more than the data, and Zarr writes
// several objects for each commit.
constexpr std::int64_t small_record_bytes = std::int64_t{1} << 20;

bool has_small_records(const Collection& collection) {
  std::int64_t bytes = 0;
  for (const Share& share : collection.shares) {
    for (const block::PlannedBlock& block : share.plan->record_blocks) bytes += block.map.bytes;
    if (collection.by_claims) break;  // all have the same
  }
  const auto& below = collection.declaration.settings().write_behind.below;
  const bool is_chunked = collection.shares.front().plan->chunked();
  return bytes < below.value_or(is_chunked ? small_record_bytes : 0) && !collection.procedure;
}

void make_shares(Draft& draft, const std::map<int, staging::ReadyQueue>& queues) {
  const std::vector<int>& members = draft.given.roles.node_members;
  for (const ShareDraft& share : draft.shares) {
    const auto queue = queues.find(share.writer);
    const auto place = std::ranges::find(members, share.writer) - members.begin();
    draft.collection.shares.push_back({share.writer, static_cast<int>(place), share.participates, share.plan,
                                       queue == queues.end() ? staging::ReadyQueue() : queue->second});
  }
}

// The engine numbers collections as they come, so it hears also of those of which it writes nothing.
void hand_to_engine(Core& core, Collection& collection, bool writes) {
  block::CollectionPlan nothing;
  nothing.name = collection.name;
  core.writer.book->send(block::AddCollection{writes ? *collection.plan : std::move(nothing)});
  core.files.add(writes ? std::make_unique<FileDesk>(collection, *core.roles, *core.writer.book, core.notices,
                                                     core.measured.counters)
                        : nullptr);
}

void hand_over(Core& core, Draft& draft) {
  Collection& collection = draft.collection;
  const bool is_small = has_small_records(collection);
  for (ShareDraft& share : draft.shares) share.plan->whole_records = is_small;
  const auto own = std::ranges::find(collection.shares, core.roles->rank, &Share::writer);
  const bool has_part = own != collection.shares.end() && own->participates;
  collection.plan = has_part ? own->plan : collection.shares.front().plan;
  collection.is_ready = true;
  core.declared.ready.push_back(&collection);
  if (has_part && own->plan->owns_files) note_engine(draft);
  if (core.roles->self.writes) hand_to_engine(core, collection, has_part && !draft.by_library);
  if (draft.by_library) hand_to_library(draft, core.measured.counters);
}

}  // namespace

void prepare_collections(Core& core, WriterLoads& loads) {
  const Given given{*core.roles, core.settings, core.declared.decompositions};
  PlanBook plans(given, core.measured.counters);
  PointCuts cuts;
  const AtStorage at_storage = [&core](const std::function<void()>& work) { core.together_at_storage(work); };
  std::list<Draft> drafts = start_drafts(core, given, loads);
  for (Draft& draft : drafts) {
    choose_plans(draft, plans);
    plan_files_and_blocks(draft, cuts, at_storage);
  }
  SegmentBuilder segment(given, core.memory);
  segment.share_budget(drafts);
  segment.make(drafts);
  const std::map<int, staging::ReadyQueue> queues = segment.queues();
  if (core.writer.port)
    core.writer.port->listen_to(queues.at(core.roles->rank), static_cast<std::uint32_t>(core.declared.ready.size()));
  PutPlanner puts(given, core.receiver, cuts, core.memory.next_channel_tag, segment.messages());
  for (Draft& draft : drafts) {
    make_shares(draft, queues);
    puts.plan(draft);
    hand_over(core, draft);
  }
  core.memory.map_newest(core.roles->node_rank, core.roles->node_size);
}

}  // namespace thalweg::client
