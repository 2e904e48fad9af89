// Preparation: where variables lie in the file, and the blocks of this node.
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "client/preparation.hpp"
#include "store/zarr_store.hpp"
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

std::shared_ptr<const store::Procedure> with_variables(store::Procedure procedure,
                                                       const catalog::Definition& definition) {
  for (const catalog::Variable& variable : definition.variables) {
    procedure.names.push_back(variable.name);
    procedure.shapes.push_back(definition.shape(variable));
  }
  return std::make_shared<const store::Procedure>(std::move(procedure));
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
    if (roles.rank != roles.leaders[static_cast<std::size_t>(collection.home)] || collection.procedure) return;
    const std::filesystem::path file = collection.declaration.settings().file;
    const std::string probe =
        (file.parent_path() / fmt::format(".thalweg-probe-{}", file.filename().string())).string();
    std::error_code ignored;  // what is wrong with the place is said when the file is made
    std::filesystem::remove_all(probe, ignored);
    struct Remove {
      const std::string& path;
      ~Remove() {
        std::error_code no_matter;
        std::filesystem::remove_all(path, no_matter);
      }
    } remove{probe};
    const std::unique_ptr<store::FormatFile> made = store::create(probe, definition);
    note_what_is_left_out(collection);
    if (draft.chunked) {
      places.push_back(made->checksum_comes_first() ? 1 : 0);
      return;
    }
    std::int64_t record_bytes = 0;
    for (std::size_t v = 0; v < definition.variables.size(); ++v) {
      places.push_back(made->offset(static_cast<int>(v), 0, 0));
      if (definition.variables[v].has_record) record_bytes = made->offset(static_cast<int>(v), 1, 0) - places.back();
    }
    places.push_back(record_bytes);
  });
  if (collection.procedure) places.assign(definition.variables.size() + 1, 0);
  transport::broadcast_values(roles.world, roles.leaders[static_cast<std::size_t>(collection.home)], places);
  store::CollectionPlan& plan = *draft.plan;
  const config::CollectionSettings& settings = collection.declaration.settings();
  plan.name = collection.name;
  plan.chunked = draft.chunked;
  plan.big_endian = store::traits_of(definition.format).big_endian && !draft.by_library;
  plan.owns_files = roles.node == collection.home;
  plan.priority = settings.priority;
  plan.durability = settings.durability;
  plan.direct_io = session_.settings_.direct_io;
  if (draft.by_library) return;
  if (store::traits_of(definition.format).objects)
    plan.zarr = std::make_shared<const store::ZarrFile>(store::zarr_file(definition));
  if (collection.procedure) plan.procedure = with_variables(*collection.procedure, definition);
  for (const catalog::Variable& variable : definition.variables)
    if (variable.encoding.changes_size() && !plan.zarr)
      (variable.has_record ? plan.sizes_first : plan.fixed_sizes_first) = true;
  if (draft.chunked) {
    plan.checksum_first = places.front() != 0;
    return;
  }
  plan.record_bytes = places.back();
  places.pop_back();
  plan.begin = std::move(places);
}

// ---- blocks of this node

Box Preparation::domain_box(const Draft& draft, int variable, int domain) const {
  const exchange::Layout& layout = draft.plans[static_cast<std::size_t>(variable)]->layout;
  return variable_box(*draft.collection, variable, layout.rank() == 0 ? Box{} : layout.domain(domain));
}

std::optional<exchange::ChunkGrid> Preparation::chunks_of(const Draft& draft, int variable, int domain) const {
  const catalog::Variable& of = draft.collection->variable(variable);
  if (!draft.chunked || draft.by_library || !of.is_chunked) return std::nullopt;
  const Index shape = draft.collection->declaration.definition().shape(of);
  return exchange::ChunkGrid{shape, of.chunk, domain_box(draft, variable, domain)};
}

void Preparation::add_block(Draft& draft, int variable, const transport::OwnedDomain& owned) {
  const Collection& collection = *draft.collection;
  const catalog::Variable& of = collection.variable(variable);
  const Box region = domain_box(draft, variable, owned.domain);
  const std::int64_t element_bytes = static_cast<std::int64_t>(size_of(of.type));
  store::PlannedBlock block;
  block.variable = variable;
  block.region = region;
  block.chunks = chunks_of(draft, variable, owned.domain);
  if (block.chunks) block.encoding = of.encoding;
  const std::int64_t chunk_bytes = of.chunk.product() * element_bytes;
  const std::int64_t spare_bytes =
      block.encoding.changes_size() ? store::encoding_spare_bytes(chunk_bytes, !draft.plan->zarr) : 0;
  // Where no file of Thalweg's says how rows lie in it, a block is an array by itself.
  const bool stands_alone = collection.procedure.has_value() || draft.by_library;
  const Index array = stands_alone ? region.count : collection.declaration.definition().shape(of);
  block.map = block.chunks ? store::map_chunks(*block.chunks, element_bytes, spare_bytes)
                           : store::map_array(array, stands_alone ? whole(array) : region, element_bytes);
  block.type = of.type;
  block.fill = collection.declaration.fill_of(variable);
  block.expected = owned.pieces;
  for (const Box& hole : owned.holes)
    for (const PieceCopy& part : box_into(block, variable_box(collection, variable, hole)))
      block.holes.push_back({part.count, part.target_offset});
  if (owned.hole_points)
    for (const PieceCopy& part : points_into(block, region, {owned.hole_points, place_of_points(draft, variable)}))
      block.hole_points.push_back({part.points.runs, part.count, part.points.along, part.target_offset});
  if (block.chunks) store::add_padding(block);
  auto& blocks = of.has_record ? draft.plan->record_blocks : draft.plan->fixed_blocks;
  if (of.has_record && !blocks.empty())
    block.first_place = blocks.back().first_place + (blocks.back().chunks ? blocks.back().chunks->size() : 1);
  if (!of.has_record) block.first_place = first_fixed_place(draft, variable);
  draft.block_of[{variable, owned.domain}] = static_cast<std::int64_t>(blocks.size());
  blocks.push_back(std::move(block));
}

// The places of fixed variables are told for all their chunks, whichever node writes them.
std::int64_t Preparation::first_fixed_place(const Draft& draft, int variable) const {
  const catalog::Definition& definition = draft.collection->declaration.definition();
  std::int64_t place = 0;
  for (int v = 0; v < variable; ++v) place += store::fixed_places(definition, v);
  return place;
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
  for (int node = 0; node < roles.node_count; ++node) {
    if (takes_part[static_cast<std::size_t>(node)] == 0) continue;
    if (node != draft.collection->home)
      draft.collection->writing_leaders.push_back(roles.leaders[static_cast<std::size_t>(node)]);
    // A node with fixed blocks only hears of records as well, because it reports them.
    draft.collection->record_chunks[node];
  }
  draft.plan->other_nodes = static_cast<int>(draft.collection->writing_leaders.size());
  if (draft.chunked && draft.plan->owns_files) plan_chunks_of_nodes(draft);
}

void Preparation::plan_chunks_of_nodes(Draft& draft) {
  Collection& collection = *draft.collection;
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const catalog::Variable& of = collection.variable(variable);
    const bool is_encoded = of.encoding.changes_size();
    const auto& node_of = draft.plans[v]->node_of_domain;
    for (std::size_t d = 0; d < node_of.size(); ++d) {
      const auto chunks = chunks_of(draft, variable, static_cast<int>(d));
      if (!chunks) continue;
      auto& of_node = (of.has_record ? collection.record_chunks : collection.fixed_chunks)[node_of[d]];
      for (std::int64_t k = 0; k < chunks->size(); ++k) of_node.push_back({variable, chunks->number(k), is_encoded});
    }
  }
}

void Preparation::lay_out(Draft& draft) {
  const auto arrange = [&](std::vector<store::PlannedBlock>& blocks) {
    std::vector<store::SlotBlock> slot_blocks;
    for (const store::PlannedBlock& block : blocks) {
      const std::int64_t begin =
          draft.chunked || draft.by_library ? 0 : draft.plan->begin[static_cast<std::size_t>(block.variable)];
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
