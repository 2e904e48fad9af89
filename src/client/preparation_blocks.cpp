// Preparation: where variables lie in the file, and the blocks of this node.
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "client/preparation.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

void note_what_is_left_out(const Collection& collection) {
  const catalog::Definition& definition = collection.declaration.definition();
  if (store::traits_of(definition.format).describes) return;
  std::size_t attributes = definition.attributes.size();
  for (const catalog::Variable& variable : definition.variables) attributes += variable.attributes.size();
  log::note("collection '{}': its format holds values only; {} attributes, names and dimensions are not in '{}'",
            collection.name, attributes, collection.declaration.settings().file);
}

}  // namespace

// ---- the file, made once under a name of its own to see that it can be made, and where its variables begin

void Preparation::probe_file(Draft& draft) {
  Collection& collection = *draft.collection;
  const roles::Roles& roles = *session_.roles_;
  const catalog::Definition& definition = collection.declaration.definition();
  std::vector<std::int64_t> places;
  transport::together(roles.world, [&] {
    store::check_limits(definition);
    if (roles.rank != roles.leaders[static_cast<std::size_t>(collection.home)]) return;
    const std::filesystem::path file = collection.declaration.settings().file;
    const std::string probe =
        (file.parent_path() / fmt::format(".thalweg-probe-{}", file.filename().string())).string();
    std::error_code ignored;  // what is wrong with the place is said when the file is made
    std::filesystem::remove(probe, ignored);
    struct Remove {
      const std::string& path;
      ~Remove() {
        std::error_code no_matter;
        std::filesystem::remove(path, no_matter);
      }
    } remove{probe};
    const std::unique_ptr<store::FormatFile> made = store::create(probe, definition);
    note_what_is_left_out(collection);
    if (draft.chunked) return;
    std::int64_t record_bytes = 0;
    for (std::size_t v = 0; v < definition.variables.size(); ++v) {
      places.push_back(made->offset(static_cast<int>(v), 0, 0));
      if (definition.variables[v].has_record) record_bytes = made->offset(static_cast<int>(v), 1, 0) - places.back();
    }
    places.push_back(record_bytes);
  });
  transport::broadcast_values(roles.world, roles.leaders[static_cast<std::size_t>(collection.home)], places);
  store::CollectionPlan& plan = *draft.plan;
  const config::CollectionSettings& settings = collection.declaration.settings();
  plan.name = collection.name;
  plan.chunked = draft.chunked;
  plan.big_endian = store::traits_of(definition.format).big_endian;
  plan.owns_files = roles.node == collection.home;
  plan.priority = settings.priority;
  plan.durability = settings.durability;
  plan.direct_io = session_.settings_.direct_io;
  if (draft.chunked) return;
  plan.record_bytes = places.back();
  places.pop_back();
  plan.begin = std::move(places);
}

// ---- blocks of this node

std::int64_t Preparation::chunk_number(const Draft& draft, int variable, int domain) const {
  const auto& decomposed = draft.collection->declaration.model_side(variable).decomposed;
  const exchange::Layout& layout = draft.plans[static_cast<std::size_t>(variable)]->layout;
  if (layout.rank() == 0) return 0;
  const Index domains = layout.domains();
  Index at = Index::filled(domains.rank(), 0);
  std::int64_t rest = domain;
  for (int d = domains.rank() - 1; d >= 0; --d) {
    at[d] = rest % domains[d];
    rest /= domains[d];
  }
  std::int64_t number = 0;  // in the variable's own order of dimensions
  for (int from : decomposed)
    if (from >= 0) number = number * domains[from] + at[from];
  return number;
}

void Preparation::add_block(Draft& draft, int variable, const transport::OwnedDomain& owned) {
  const Collection& collection = *draft.collection;
  const catalog::Variable& of = collection.variable(variable);
  const exchange::Layout& layout = draft.plans[static_cast<std::size_t>(variable)]->layout;
  const Box domain = layout.rank() == 0 ? Box{} : layout.domain(owned.domain);
  const Box region = variable_box(collection, variable, domain);
  const std::int64_t element_bytes = static_cast<std::int64_t>(size_of(of.type));
  store::PlannedBlock block;
  block.variable = variable;
  block.chunk = chunk_number(draft, variable, owned.domain);
  block.map = draft.chunked && of.has_record
                  ? store::map_chunk(of.chunk, region, element_bytes)
                  : store::map_array(collection.declaration.definition().shape(of), region, element_bytes);
  block.type = of.type;
  block.fill = collection.declaration.fill_of(variable);
  block.expected = owned.pieces;
  for (const Box& hole : owned.holes) {
    const Box cells = variable_box(collection, variable, hole);
    std::int64_t offset = 0;
    for (int d = 0; d < cells.rank(); ++d) offset += (cells.start[d] - region.start[d]) * block.map.stride[d];
    block.holes.push_back({cells.count, offset});
  }
  auto& blocks = of.has_record ? draft.plan->record_blocks : draft.plan->fixed_blocks;
  draft.block_of[{variable, owned.domain}] = static_cast<std::int64_t>(blocks.size());
  blocks.push_back(std::move(block));
}

void Preparation::plan_blocks(Draft& draft) {
  const roles::Roles& roles = *session_.roles_;
  for (std::size_t v = 0; v < draft.plans.size(); ++v)
    for (const transport::OwnedDomain& owned : draft.plans[v]->owned) add_block(draft, static_cast<int>(v), owned);
  // Who takes part in writing: a node with blocks, and always the home.
  std::vector<std::int64_t> takes_part(static_cast<std::size_t>(roles.node_count), 0);
  for (const transport::Plan* plan : draft.plans)
    for (int node : plan->node_of_domain) takes_part[static_cast<std::size_t>(node)] = 1;
  takes_part[static_cast<std::size_t>(draft.collection->home)] = 1;
  draft.collection->participates = takes_part[static_cast<std::size_t>(roles.node)] != 0;
  for (int node = 0; node < roles.node_count; ++node)
    if (takes_part[static_cast<std::size_t>(node)] != 0 && node != draft.collection->home)
      draft.collection->writing_leaders.push_back(roles.leaders[static_cast<std::size_t>(node)]);
  draft.plan->other_nodes = static_cast<int>(draft.collection->writing_leaders.size());
  if (draft.chunked && draft.plan->owns_files) plan_remote_blocks(draft);
}

void Preparation::plan_remote_blocks(Draft& draft) {
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    if (!draft.collection->variable(static_cast<int>(v)).has_record) continue;
    const auto& node_of = draft.plans[v]->node_of_domain;
    for (std::size_t d = 0; d < node_of.size(); ++d)
      if (node_of[d] != draft.collection->home)
        draft.collection->remote_blocks[node_of[d]].emplace_back(
            static_cast<int>(v), chunk_number(draft, static_cast<int>(v), static_cast<int>(d)));
  }
  // A node with fixed blocks only hears of records as well, because it reports them.
  for (int leader : draft.collection->writing_leaders) {
    const auto& leaders = session_.roles_->leaders;
    draft.collection
        ->remote_blocks[static_cast<int>(std::find(leaders.begin(), leaders.end(), leader) - leaders.begin())];
  }
}

void Preparation::lay_out(Draft& draft) {
  const auto arrange = [&](std::vector<store::PlannedBlock>& blocks) {
    std::vector<store::SlotBlock> slot_blocks;
    for (const store::PlannedBlock& block : blocks) {
      const std::int64_t begin = draft.chunked ? 0 : draft.plan->begin[static_cast<std::size_t>(block.variable)];
      slot_blocks.push_back({begin + block.map.first_offset, &block.map});
    }
    const store::SlotLayout layout = store::lay_out_slot(slot_blocks);
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].slot_offset = layout.offset[b];
    return layout;
  };
  draft.record_slot = arrange(draft.plan->record_blocks);
  draft.fixed_slot = arrange(draft.plan->fixed_blocks);
}

}  // namespace thalweg::client
