// Preparation: where variables lie in the file, and the blocks of this node.
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "client/preparation.hpp"
#include "store/file_set.hpp"
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

// ---- files, made once under a name of their own to see that they can be made, and where their variables begin

void Preparation::probe_files(Draft& draft) {
  const Collection& collection = *draft.collection;
  const roles::Roles& roles = *session_.roles_;
  const catalog::Definition& definition = collection.declaration.definition();
  const std::string& file = collection.declaration.settings().file;
  const bool is_set = !draft.set.empty();
  std::vector<std::int64_t> places;
  const auto add = [&](const std::string& name, const catalog::Definition& of) {
    const std::vector<std::int64_t> of_file = probe(draft, name, of);
    places.insert(places.end(), of_file.begin(), of_file.end());
  };
  session_.together_at_storage([&] {
    if (!is_set) store::check_limits(definition);
    if (!roles.writes(collection.number) || collection.procedure) return;
    if (!is_set && roles.node == collection.home) add(file, definition);
    for (const FilePart& part : draft.set) {
      if (part.node != roles.node) continue;
      add(store::part_name(file, part.number),
          store::definition_of_part(definition, part.sections, std::ssize(draft.set)));
      if (draft.chunked) break;  // what is asked is the same of all
    }
  });
  // Of a set every node knows its own files; else the home knows the one.
  const auto comm = is_set ? roles.local : roles.world;
  const int writer = roles.writer_of(collection.number, is_set ? roles.node : collection.home);
  const auto in_node = std::ranges::find(roles.node_members, writer) - roles.node_members.begin();
  const int root = !is_set ? writer : writer < 0 ? 0 : static_cast<int>(in_node);
  if (collection.procedure) places.assign(definition.variables.size() + 1, 0);
  transport::broadcast_values(comm, root, places);
  const auto each = draft.chunked ? 1 : std::ssize(definition.variables) + 1;
  for (auto first = places.begin(); first != places.end(); first += each)
    draft.places.emplace_back(first, first + each);
  describe_files(draft);
}

// Where each variable begins and the distance of records; of chunked formats whether checksums come first.
std::vector<std::int64_t> Preparation::probe(const Draft& draft, const std::string& name,
                                             const catalog::Definition& of) const {
  const std::filesystem::path file = name;
  const std::string path = (file.parent_path() / fmt::format(".thalweg-probe-{}", file.filename().string())).string();
  std::error_code ignored;  // what is wrong with the place is said when the file is made
  std::filesystem::remove_all(path, ignored);
  struct Remove {
    const std::string& path;
    ~Remove() {
      std::error_code no_matter;
      std::filesystem::remove_all(path, no_matter);
    }
  } remove{path};
  const std::unique_ptr<store::FormatFile> made = store::create(path, of);
  note_what_is_left_out(*draft.collection);
  if (draft.chunked) return {made->checksum_comes_first() ? 1 : 0};
  std::vector<std::int64_t> places;
  std::int64_t record_bytes = 0;
  for (std::size_t v = 0; v < of.variables.size(); ++v) {
    places.push_back(made->offset(static_cast<int>(v), 0, 0));
    if (of.variables[v].has_record) record_bytes = made->offset(static_cast<int>(v), 1, 0) - places.back();
  }
  places.push_back(record_bytes);
  return places;
}

// What the writer of this node needs to know of the collection beside blocks.
void Preparation::describe_files(Draft& draft) {
  Collection& collection = *draft.collection;
  const roles::Roles& roles = *session_.roles_;
  const catalog::Definition& definition = collection.declaration.definition();
  const config::CollectionSettings& settings = collection.declaration.settings();
  for (const FilePart& part : draft.set)
    if (part.node == roles.node) collection.parts.push_back(part);
  collection.files_in_set = std::ssize(draft.set);
  if (roles.node == collection.home && roles.writes(collection.number)) collection.set = draft.set;
  store::CollectionPlan& plan = *draft.plan;
  plan.name = collection.name;
  plan.chunked = draft.chunked;
  plan.big_endian = store::traits_of(definition.format).big_endian && !draft.by_library;
  plan.owns_files = draft.set.empty() ? roles.node == collection.home : !collection.parts.empty();
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
  if (draft.chunked && !draft.places.empty()) plan.checksum_first = draft.places.front().front() != 0;
}

// ---- blocks of this node

Box Preparation::domain_box(const Draft& draft, int variable, int domain) const {
  if (const FilePart* part = part_of(draft, domain))
    return store::box_of(draft.collection->variable(variable), part->sections);
  const exchange::Layout& layout = draft.plans[static_cast<std::size_t>(variable)]->layout;
  return variable_box(*draft.collection, variable, layout.rank() == 0 ? Box{} : layout.domain(domain));
}

std::optional<exchange::ChunkGrid> Preparation::chunks_of(const Draft& draft, int variable, int domain) const {
  const catalog::Variable& of = draft.collection->variable(variable);
  if (!draft.chunked || draft.by_library || !of.is_chunked) return std::nullopt;
  const Index shape = file_shape(draft, variable, domain);
  Index chunk = of.chunk;
  for (int d = 0; d < chunk.rank(); ++d) chunk[d] = std::min(chunk[d], shape[d]);
  const Box in_file = moved(domain_box(draft, variable, domain), file_origin(draft, variable, domain), -1);
  return exchange::ChunkGrid{shape, chunk, in_file};
}

Index Preparation::file_shape(const Draft& draft, int variable, int domain) const {
  if (part_of(draft, domain) != nullptr) return domain_box(draft, variable, domain).count;
  return draft.collection->declaration.definition().shape(draft.collection->variable(variable));
}

// Which cell of the whole is the first one in the file.
Index Preparation::file_origin(const Draft& draft, int variable, int domain) const {
  const Box box = domain_box(draft, variable, domain);
  return part_of(draft, domain) != nullptr ? box.start : Index::filled(box.rank(), 0);
}

void Preparation::add_block(Draft& draft, int variable, const transport::OwnedDomain& owned) {
  const Collection& collection = *draft.collection;
  const catalog::Variable& of = collection.variable(variable);
  const Box region = domain_box(draft, variable, owned.domain);
  const std::int64_t element_bytes = static_cast<std::int64_t>(size_of(of.type));
  store::PlannedBlock block;
  block.variable = variable;
  block.region = region;
  block.part = part_number(draft, owned.domain);
  block.chunks = chunks_of(draft, variable, owned.domain);
  if (block.chunks) block.encoding = of.encoding;
  if (!draft.chunked && !draft.by_library) {
    const std::vector<std::int64_t>& places = draft.places[static_cast<std::size_t>(block.part)];
    block.begin = places[static_cast<std::size_t>(variable)];
    block.record_bytes = places.back();
  }
  const std::int64_t chunk_bytes = block.chunks ? block.chunks->chunk.product() * element_bytes : 0;
  const std::int64_t spare_bytes =
      block.encoding.changes_size() ? store::encoding_spare_bytes(chunk_bytes, !draft.plan->zarr) : 0;
  // Where no file of Thalweg's says how rows lie in it, a block is an array by itself.
  const bool stands_alone = collection.procedure.has_value() || draft.by_library;
  const Index array = stands_alone ? region.count : file_shape(draft, variable, owned.domain);
  const Index origin = file_origin(draft, variable, owned.domain);
  block.map = block.chunks
                  ? store::map_chunks(*block.chunks, element_bytes, spare_bytes)
                  : store::map_array(array, stands_alone ? whole(array) : moved(region, origin, -1), element_bytes);
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
  if (!of.has_record) block.first_place = draft.first_fixed_place.at({variable, draft.set.empty() ? 0 : owned.domain});
  draft.block_of[{variable, owned.domain}] = static_cast<std::int64_t>(blocks.size());
  blocks.push_back(std::move(block));
}

// The places of fixed variables are told for all their chunks, whichever node writes them; of a set, for all of its
// files that this node writes.
void Preparation::number_fixed_places(Draft& draft) {
  const auto& variables = draft.collection->declaration.definition().variables;
  std::int64_t place = 0;
  const auto number = [&](int domain) {
    for (int v = 0; v < std::ssize(variables); ++v) {
      draft.first_fixed_place[{v, domain}] = place;
      place += store::fixed_places(variables[static_cast<std::size_t>(v)], file_shape(draft, v, domain));
    }
  };
  if (draft.set.empty()) number(0);
  for (const FilePart& part : draft.collection->parts) number(part.number);
}

void Preparation::plan_blocks(Draft& draft) {
  const roles::Roles& roles = *session_.roles_;
  number_fixed_places(draft);
  for (std::size_t v = 0; v < draft.plans.size(); ++v)
    for (const transport::OwnedDomain& owned : draft.plans[v]->owned)
      if (draft.set.empty() || part_of(draft, owned.domain) != nullptr) add_block(draft, static_cast<int>(v), owned);
  if (!draft.set.empty()) {
    draft.collection->participates = draft.plan->owns_files;
    if (draft.plan->owns_files) draft.collection->record_chunks[roles.node];
    if (draft.chunked && draft.plan->owns_files) plan_chunks_of_nodes(draft);
    return;
  }
  // Who takes part in writing: a node with blocks, and always the home.
  std::vector<std::int64_t> takes_part(static_cast<std::size_t>(roles.node_count), 0);
  for (const transport::Plan* plan : draft.plans)
    for (int node : plan->node_of_domain) takes_part[static_cast<std::size_t>(node)] = 1;
  takes_part[static_cast<std::size_t>(draft.collection->home)] = 1;
  draft.collection->participates = takes_part[static_cast<std::size_t>(roles.node)] != 0;
  for (int node = 0; node < roles.node_count; ++node) {
    if (takes_part[static_cast<std::size_t>(node)] == 0) continue;
    if (node != draft.collection->home)
      draft.collection->other_writers.push_back(roles.writer_of(draft.collection->number, node));
    // A node with fixed blocks only hears of records as well, because it reports them.
    draft.collection->record_chunks[node];
  }
  draft.plan->other_nodes = static_cast<int>(draft.collection->other_writers.size());
  if (draft.chunked && draft.plan->owns_files) plan_chunks_of_nodes(draft);
}

void Preparation::plan_chunks_of_nodes(Draft& draft) {
  Collection& collection = *draft.collection;
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const catalog::Variable& of = collection.variable(variable);
    const bool is_encoded = of.encoding.changes_size();
    const auto add = [&](int node, int domain, int part) {
      const auto chunks = chunks_of(draft, variable, domain);
      if (!chunks) return;
      auto& of_node = (of.has_record ? collection.record_chunks : collection.fixed_chunks)[node];
      for (std::int64_t k = 0; k < chunks->size(); ++k)
        of_node.push_back({variable, chunks->number(k), is_encoded, part});
    };
    for (std::size_t p = 0; p < collection.parts.size(); ++p)
      add(session_.roles_->node, collection.parts[p].number, static_cast<int>(p));
    if (!draft.set.empty()) continue;
    const auto& node_of = draft.plans[v]->node_of_domain;
    for (std::size_t d = 0; d < node_of.size(); ++d) add(node_of[d], static_cast<int>(d), 0);
  }
}

void Preparation::lay_out(Draft& draft) {
  const auto arrange = [&](std::vector<store::PlannedBlock>& blocks) {
    std::vector<store::SlotBlock> slot_blocks;
    for (const store::PlannedBlock& block : blocks) {
      // The files of a set as if one followed the other, far enough that none reaches into the next.
      constexpr std::int64_t far = std::int64_t{1} << 44;
      slot_blocks.push_back({block.part * far + block.begin + block.map.first_offset, &block.map});
    }
    const store::SlotLayout layout = store::lay_out_slot(slot_blocks);
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].slot_offset = layout.offset[b];
    return layout;
  };
  draft.record_slot = arrange(draft.plan->record_blocks);
  draft.fixed_slot = arrange(draft.plan->fixed_blocks);
}

}  // namespace thalweg::client
