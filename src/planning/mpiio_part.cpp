#include "planning/mpiio_part.hpp"

#include <algorithm>
#include <set>

#include "base/log.hpp"
#include "base/names.hpp"
#include "block/holes.hpp"
#include "config/hints.hpp"
#include "storage/striping.hpp"
#include "transport/collective.hpp"

namespace thalweg::planning {
namespace {

// The domains of a node are spread over its ranks.
int owner_of(std::size_t domain, std::size_t domains, int ranks) {
  return static_cast<int>(domain * static_cast<std::size_t>(ranks) / domains);
}

// Cells that no rank holds, which the leader knows. Blocks stay where they are from record to record, and nobody else
// touches these cells.
void fill_holes(const std::vector<block::PlannedBlock>& blocks, std::byte* slot) {
  for (const block::PlannedBlock& block : blocks) block::fill_holes(block, false, slot + block.slot_offset);
}

void note_hints(const Draft& draft) {
  const std::vector<std::string> known = config::known_hints();
  for (const auto& [name, value] : draft.declaration.settings().hints)
    if (std::find(known.begin(), known.end(), name) == known.end())
      log::warning("collection '{}': hint '{}' is none that ROMIO, OMPIO or PnetCDF is known to take{}",
                   draft.identity.name, name, name_hint(name, known));
}

void note_ranks(const Draft& draft, int io_ranks, const roles::Roles& roles) {
  const mpiio::Library& library = mpiio::library_of(draft.declaration.definition().format);
  if (io_ranks == roles.size && roles.size > 1)
    log::warning("collection '{}': all {} ranks write into one file; fewer I/O domains (layout) are faster as a rule",
                 draft.identity.name, io_ranks);
  if (draft.declaration.settings().library_calls == config::LibraryCalls::independent && !library.extends_alone)
    log::note("collection '{}': {} extends variables collectively only; those with records are written so",
              draft.identity.name, library.name);
}

// Ranks of this node that call the library, the same on all of them.
std::set<int> io_members(const Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  std::set<int> members;
  if (roles.node == draft.file_plan.owner_node) members.insert(0);
  for (const transport::Plan* plan : draft.plans)
    for (std::size_t i = 0; i < plan->owned.size(); ++i)
      members.insert(owner_of(i, plan->owned.size(), roles.node_size));
  return members;
}

std::vector<mpiio::MpiioBlock> own_blocks(const Draft& draft, int variable) {
  const roles::Roles& roles = draft.given.roles;
  const transport::Plan& plan = *draft.plans[static_cast<std::size_t>(variable)];
  const bool has_record = draft.variable(variable).has_record;
  std::vector<mpiio::MpiioBlock> blocks;
  for (std::size_t i = 0; i < plan.owned.size(); ++i) {
    if (owner_of(i, plan.owned.size(), roles.node_size) != roles.node_rank) continue;
    const Box domain = plan.layout.rank() == 0 ? Box{} : plan.layout.domain(plan.owned[i].domain);
    const block::PlannedBlock& block = draft.block(variable, draft.block_of.at({variable, plan.owned[i].domain}));
    const block::CollectionPlan& whole = *draft.writer_parts.front().plan;
    const staging::BlockRing& ring = has_record ? whole.rings.moments() : whole.rings.fixed();
    const Box region = draft.variable(variable).joined.in_file(draft.in_variable(variable, domain));
    blocks.push_back({variable, region, ring.room_data(0) + block.slot_offset});
  }
  return blocks;
}

// In a collective call every rank must take part, also one that has fewer blocks.
files::MpiioPart part_of_rank(const Draft& draft, const roles::Circle& circle) {
  std::vector<std::vector<mpiio::MpiioBlock>> own;
  std::vector<std::int64_t> rounds;
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    own.push_back(own_blocks(draft, static_cast<int>(v)));
    rounds.push_back(std::ssize(own.back()));
  }
  transport::maximum(circle, rounds);
  files::MpiioPart part;
  for (std::size_t v = 0; v < own.size(); ++v) {
    const int variable = static_cast<int>(v);
    own[v].resize(static_cast<std::size_t>(rounds[v]), {variable, {}, nullptr});
    auto& list = draft.variable(variable).has_record ? part.record_blocks : part.fixed_blocks;
    list.insert(list.end(), own[v].begin(), own[v].end());
  }
  return part;
}

}  // namespace

void note_engine(const Draft& draft) {
  const config::CollectionSettings& settings = draft.declaration.settings();
  const config::FormatTraits& traits = settings.format->traits;
  if (settings.striping.is_set() && (traits.objects || !traits.makes_files()))
    log::note("collection '{}': striping: what this format writes is striped as its folder is, so it has no effect",
              settings.name);
  else if (settings.striping.is_set() && !storage::is_on_lustre(settings.file))
    log::note("collection '{}': striping: the folder is not on Lustre, so it has no effect", settings.name);
  const bool asks_library = !settings.hints.empty() || settings.aggregators_per_node != 0;
  if (asks_library && !draft.by_mpiio)
    log::note("collection '{}': hints and aggregators-per-node have an effect with 'engine: library' only",
              settings.name);
}

std::optional<files::MpiioCallers> mpiio_callers(const Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  if (roles.leads_node()) {
    const block::CollectionPlan& plan = *draft.writer_parts.front().plan;
    fill_holes(plan.record_blocks, plan.rings.moments().room_data(0));
    fill_holes(plan.fixed_blocks, plan.rings.fixed().room_data(0));
  }
  const std::set<int> members = io_members(draft);
  const bool is_member = members.contains(roles.node_rank);
  transport::Group group(roles.world, is_member);
  if (!is_member) return std::nullopt;
  files::MpiioPart part = part_of_rank(draft, group.circle());
  part.speaks_for_node = roles.node_rank == *members.begin();
  mpiio::Aggregation aggregation;
  aggregation.io_ranks = group.size();
  aggregation.nodes = transport::sum(group.circle(), part.speaks_for_node ? 1 : 0);
  aggregation.per_node = draft.declaration.settings().aggregators_per_node;
  if (roles.node == draft.file_plan.owner_node && roles.leads_node()) {
    note_hints(draft);
    note_ranks(draft, group.size(), roles);
  }
  return files::MpiioCallers{std::move(group), std::move(part), aggregation};
}

}  // namespace thalweg::planning
