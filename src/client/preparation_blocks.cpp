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
  const roles::Roles& roles = *core_.roles;
  const catalog::Definition& definition = collection.declaration.definition();
  const std::string& file = collection.declaration.settings().file;
  const bool is_set = !draft.set.empty();
  // Of a set every node knows its own files; else the home knows the one.
  const std::vector<int>& writers = draft.writers[static_cast<std::size_t>(is_set ? roles.node : collection.home)];
  const int writer = writers.empty() ? -1 : writers.front();
  std::vector<const FilePart*> parts;  // of this node
  for (const FilePart& part : draft.set)
    if (part.node == roles.node) parts.push_back(&part);
  std::vector<std::int64_t> places;
  const auto add = [&](const std::string& name, const catalog::Definition& of) {
    const std::vector<std::int64_t> of_file = probe(draft, name, of);
    places.insert(places.end(), of_file.begin(), of_file.end());
  };
  core_.together_at_storage([&] {
    if (!is_set) store::check_limits(definition);
    if (roles.rank != writer || collection.procedure) return;
    if (!is_set) add(file, definition);
    for (const FilePart* part : parts) {
      add(store::part_name(file, part->number),
          store::definition_of_part(definition, part->sections, {std::ssize(draft.set), collection.run_id}));
      if (draft.chunked) break;  // what is asked is the same of all
    }
  });
  if (collection.procedure) places.assign(definition.variables.size() + 1, 0);
  const auto in_node = std::ranges::find(roles.node_members, writer) - roles.node_members.begin();
  if (!is_set)
    transport::broadcast_values(roles.world, writer, places);
  else if (writer >= 0)
    transport::broadcast_values(roles.local, static_cast<int>(in_node), places);
  const auto each = draft.chunked ? 1 : std::ssize(definition.variables) + 1;
  std::size_t files = 0;
  for (auto first = places.begin(); first != places.end(); first += each, ++files)
    draft.places[is_set ? parts[files]->number : 0].assign(first, first + each);
  describe_files(draft);
}

// Else the message would name the file that the probe makes.
void Preparation::require_folder(const Draft& draft, const std::filesystem::path& folder) const {
  std::error_code unknown;  // is said when the file is made
  if (folder.empty() || std::filesystem::exists(folder, unknown) || unknown) return;
  const config::CollectionSettings& settings = draft.collection->declaration.settings();
  fail(THALWEG_ERROR_STORAGE,
       "{}: collection '{}': there is no folder '{}' for its file '{}'; make it, or change 'file'", settings.place,
       settings.name, folder.string(), settings.file);
}

// Where each variable begins and the distance of records; of chunked formats whether checksums come first.
std::vector<std::int64_t> Preparation::probe(const Draft& draft, const std::string& name,
                                             const catalog::Definition& of) const {
  const std::filesystem::path file = name;
  require_folder(draft, file.parent_path());
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

void Preparation::describe_files(Draft& draft) {
  Collection& collection = *draft.collection;
  const roles::Roles& roles = *core_.roles;
  for (const FilePart& part : draft.set)
    if (part.writer == roles.rank) collection.parts.push_back(part);
  collection.files_in_set = std::ssize(draft.set);
  if (roles.rank == collection.home_writer) collection.set = draft.set;
  const std::vector<int>& writers = draft.writers[static_cast<std::size_t>(roles.node)];
  draft.shares.resize(std::max<std::size_t>(1, writers.size()));
  for (std::size_t share = 0; share < draft.shares.size(); ++share) {
    if (!writers.empty()) draft.shares[share].writer = writers[share];
    describe_share(draft, draft.shares[share]);
  }
}

// What a writer of this node needs to know of the collection beside blocks.
void Preparation::describe_share(const Draft& draft, ShareDraft& share) const {
  const Collection& collection = *draft.collection;
  const catalog::Definition& definition = collection.declaration.definition();
  const config::CollectionSettings& settings = collection.declaration.settings();
  share.plan = std::make_shared<store::CollectionPlan>();
  store::CollectionPlan& plan = *share.plan;
  plan.name = collection.name;
  for (const catalog::Variable& variable : definition.variables) plan.variables.push_back(variable.name);
  plan.chunked = draft.chunked;
  plan.big_endian = store::traits_of(definition.format).big_endian && !draft.by_library;
  plan.owns_files = draft.set.empty() ? share.writer == collection.home_writer
                                      : std::ranges::count(draft.set, share.writer, &FilePart::writer) > 0;
  plan.priority = settings.priority;
  plan.durability = settings.durability;
  plan.direct_io = core_.settings.direct_io;
  plan.has_companions = settings.record_checksums;
  if ((settings.record_checksums || settings.checksum_attributes) && !collection.procedure)
    plan.summed = summed_files(draft, share.writer);
  if (draft.by_library) return;
  if (store::traits_of(definition.format).objects)
    plan.zarr = std::make_shared<const store::ZarrFile>(store::zarr_file(definition));
  if (collection.procedure) plan.procedure = with_variables(*collection.procedure, definition);
  for (const catalog::Variable& variable : definition.variables)
    if (variable.encoding.changes_size() && !plan.zarr)
      (variable.has_record ? plan.sizes_first : plan.fixed_sizes_first) = true;
  if (draft.chunked && !draft.places.empty()) plan.checksum_first = draft.places.begin()->second.front() != 0;
}

std::shared_ptr<const store::SummedFiles> Preparation::summed_files(const Draft& draft, int writer) const {
  const catalog::Definition& definition = draft.collection->declaration.definition();
  auto files = std::make_shared<store::SummedFiles>();
  files->format = definition.format;
  files->record_dimension = definition.record_dimension;
  const auto add = [&](std::span<const store::Section> sections) {
    std::vector<std::int64_t>& elements = files->elements.emplace_back();
    for (const catalog::Variable& variable : definition.variables)
      elements.push_back(store::box_of(variable, sections).cells());
  };
  for (const catalog::Variable& variable : definition.variables)
    files->variables.push_back({variable.name, variable.type, variable.has_record});
  for (const FilePart& part : draft.set)
    if (part.writer == writer) add(part.sections);
  if (draft.set.empty()) add(store::whole_sections(definition));
  return files;
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
  const FilePart* part_of_set = part_of(draft, owned.domain);
  const auto share = std::ranges::find(draft.shares, writer_of(draft, variable, owned.domain), &ShareDraft::writer);
  store::CollectionPlan& plan = *share->plan;
  store::PlannedBlock block;
  block.variable = variable;
  block.region = region;
  block.part = part_of_set == nullptr ? 0 : part_of_set->place;
  block.chunks = chunks_of(draft, variable, owned.domain);
  if (block.chunks) block.encoding = of.encoding;
  if (!draft.chunked && !draft.by_library) {
    const std::vector<std::int64_t>& places = draft.places.at(part_of_set == nullptr ? 0 : owned.domain);
    block.begin = places[static_cast<std::size_t>(variable)];
    block.record_bytes = places.back();
  }
  const std::int64_t chunk_bytes = block.chunks ? block.chunks->chunk.product() * element_bytes : 0;
  const std::int64_t spare_bytes =
      block.encoding.changes_size() ? store::encoding_spare_bytes(chunk_bytes, !plan.zarr) : 0;
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
  for (const store::HoleFill& hole : block.holes) block.hole_cells += hole.count.product();
  if (owned.hole_points)
    for (const PieceCopy& part : points_into(block, region, {owned.hole_points, place_of_points(draft, variable)}))
      block.hole_points.push_back({part.points.runs, part.count, part.points.along, part.target_offset});
  for (const store::HolePoints& points : block.hole_points) block.hole_cells += points.count.product();
  if (block.chunks) store::add_padding(block);
  auto& blocks = of.has_record ? plan.record_blocks : plan.fixed_blocks;
  if (of.has_record && !blocks.empty())
    block.first_place = blocks.back().first_place + (blocks.back().chunks ? blocks.back().chunks->size() : 1);
  if (!of.has_record) block.first_place = draft.first_fixed_place.at({variable, draft.set.empty() ? 0 : owned.domain});
  draft.block_of[{variable, owned.domain}] = {static_cast<int>(share - draft.shares.begin()), std::ssize(blocks)};
  blocks.push_back(std::move(block));
}

// The places of fixed variables are told for all their chunks, whoever writes them; of a set, for all of its files that
// the same rank writes.
void Preparation::number_fixed_places(Draft& draft) {
  const auto& variables = draft.collection->declaration.definition().variables;
  const auto number = [&](int domain, std::int64_t& place) {
    for (int v = 0; v < std::ssize(variables); ++v) {
      draft.first_fixed_place[{v, domain}] = place;
      place += store::fixed_places(variables[static_cast<std::size_t>(v)], file_shape(draft, v, domain));
    }
  };
  std::map<int, std::int64_t> next;  // of each writer
  if (draft.set.empty()) number(0, next[-1]);
  for (const FilePart& part : draft.set)
    if (part.node == core_.roles->node) number(part.number, next[part.writer]);
}

void Preparation::plan_blocks(Draft& draft) {
  transport::together(core_.roles->world, [&] { require_room_for_blocks(draft); });
  number_fixed_places(draft);
  for (const bool kept : {true, false})
    for (int v = 0; v < std::ssize(draft.plans); ++v) {
      if ((!draft.collection->by_claims || is_kept(draft, v)) != kept) continue;
      for (const transport::OwnedDomain& owned : draft.plans[static_cast<std::size_t>(v)]->owned)
        if (draft.set.empty() || part_of(draft, owned.domain) != nullptr) add_block(draft, v, owned);
    }
  if (draft.collection->by_claims) share_blocks(draft);
  decide_who_takes_part(draft);
}

// All writers of the node see the blocks of records as the first one does, who keeps some.
void Preparation::share_blocks(Draft& draft) const {
  store::CollectionPlan& first = *draft.shares.front().plan;
  const auto is_claimed = [&](const store::PlannedBlock& block) { return !is_kept(draft, block.variable); };
  first.kept_blocks = std::ranges::find_if(first.record_blocks, is_claimed) - first.record_blocks.begin();
  if (first.kept_blocks == std::ssize(first.record_blocks)) return;  // the others have no part in it
  for (std::size_t share = 1; share < draft.shares.size(); ++share) {
    store::CollectionPlan& plan = *draft.shares[share].plan;
    plan.record_blocks = first.record_blocks;
    plan.kept_blocks = first.kept_blocks;
    plan.keeps = false;
    plan.claimant = static_cast<int>(share);
  }
}

// Of a set, who writes some of its files; else who has blocks, and always the home.
void Preparation::decide_who_takes_part(Draft& draft) {
  const roles::Roles& roles = *core_.roles;
  Collection& collection = *draft.collection;
  if (!draft.set.empty()) {
    for (ShareDraft& share : draft.shares) share.participates = share.plan->owns_files;
  } else {
    std::vector<bool> takes_part(static_cast<std::size_t>(roles.size), false);
    takes_part[static_cast<std::size_t>(collection.home_writer)] = true;
    for (std::size_t v = 0; v < draft.plans.size(); ++v)
      for (int d = 0; d < std::ssize(draft.plans[v]->node_of_domain); ++d)
        for (const int writer : writers_of(draft, static_cast<int>(v), d))
          takes_part[static_cast<std::size_t>(writer)] = true;
    // A writer with fixed blocks only hears of records as well, because it reports them.
    for (int rank = 0; rank < roles.size; ++rank)
      if (takes_part[static_cast<std::size_t>(rank)] && rank != collection.home_writer)
        collection.other_writers.push_back(rank);
    for (ShareDraft& share : draft.shares) {
      share.participates = share.writer >= 0 && takes_part[static_cast<std::size_t>(share.writer)];
      share.plan->other_writers = static_cast<int>(collection.other_writers.size());
    }
  }
  if (draft.chunked && (roles.rank == collection.home_writer || !collection.parts.empty())) plan_chunks(draft);
}

void Preparation::number_chunks(Draft& draft) {
  const roles::Roles& roles = *core_.roles;
  Collection& collection = *draft.collection;
  std::vector<int> writers = collection.other_writers;
  writers.push_back(roles.rank);
  for (const int writer : writers) collection.chunks_of[writer] = {writer};
  for (std::size_t node = 0; draft.collection->by_claims && node < draft.writers.size(); ++node)
    for (const int writer : draft.writers[node])
      collection.chunks_of[writer] = {draft.writers[node].front(), Collection::claimed_on(static_cast<int>(node))};
  for (const auto& [writer, numbers] : collection.chunks_of)
    for (const int number : numbers) collection.record_chunks[number];
}

void Preparation::plan_chunks(Draft& draft) {
  Collection& collection = *draft.collection;
  number_chunks(draft);
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const catalog::Variable& of = collection.variable(variable);
    const bool is_encoded = of.encoding.changes_size();
    const auto add = [&](int writer, int domain, int part) {
      const auto chunks = chunks_of(draft, variable, domain);
      if (!chunks) return;
      auto& of_writer = (of.has_record ? collection.record_chunks : collection.fixed_chunks)[writer];
      for (std::int64_t k = 0; k < chunks->size(); ++k)
        of_writer.push_back({variable, chunks->number(k), is_encoded, part});
    };
    for (const FilePart& part : collection.parts) add(part.writer, part.number, part.place);
    if (!draft.set.empty()) continue;
    const bool is_claimed = draft.collection->by_claims && of.has_record && !is_kept(draft, variable);
    const std::vector<int>& node_of = draft.plans[v]->node_of_domain;
    for (int d = 0; d < std::ssize(node_of); ++d)
      add(is_claimed ? Collection::claimed_on(node_of[static_cast<std::size_t>(d)]) : writer_of(draft, variable, d), d,
          0);
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
  for (ShareDraft& share : draft.shares) {
    share.record_slot = arrange(share.plan->record_blocks);
    share.fixed_slot = arrange(share.plan->fixed_blocks);
  }
}

}  // namespace thalweg::client
