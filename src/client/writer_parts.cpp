#include "client/writer_parts.hpp"

#include <algorithm>

#include "formats/zarr/store.hpp"

namespace thalweg::client {
namespace {

std::shared_ptr<const block::Callback> with_variables(block::Callback procedure,
                                                      const catalog::Definition& definition) {
  for (const catalog::Variable& variable : definition.variables) {
    procedure.names.push_back(variable.name);
    procedure.shapes.push_back(definition.shape(variable));
  }
  return std::make_shared<const block::Callback>(std::move(procedure));
}

std::shared_ptr<const block::SummedFiles> summed_files(const Draft& draft, int writer) {
  const catalog::Definition& definition = draft.collection.declaration.definition();
  auto files = std::make_shared<block::SummedFiles>();
  files->format = definition.format;
  files->record_dimension = definition.record_dimension;
  const auto add = [&](std::span<const sets::Section> sections) {
    std::vector<std::int64_t>& elements = files->elements.emplace_back();
    for (const catalog::Variable& variable : definition.variables)
      elements.push_back(sets::box_of(variable, sections).cells());
  };
  for (const catalog::Variable& variable : definition.variables)
    files->variables.push_back({variable.name, variable.type, variable.has_record});
  for (const FilePart& part : draft.set)
    if (part.writer == writer) add(part.sections);
  if (draft.set.empty()) add(sets::whole_sections(definition));
  return files;
}

void describe_format(const Draft& draft, block::CollectionPlan& plan) {
  const catalog::Definition& definition = draft.collection.declaration.definition();
  if (definition.format->traits.objects) plan.objects = std::make_shared<const formats::zarr::ZarrFile>(definition);
  if (draft.collection.procedure) plan.callback = with_variables(*draft.collection.procedure, definition);
  for (const catalog::Variable& variable : definition.variables)
    if (variable.encoding.changes_size() && !plan.objects)
      (variable.has_record ? plan.sizes_first : plan.fixed_sizes_first) = true;
  if (draft.chunked && !draft.places.empty()) plan.checksum_first = draft.places.begin()->second.front() != 0;
}

// What a writer of this node needs to know of the collection beside blocks.
void describe_share(const Draft& draft, ShareDraft& share) {
  const Collection& collection = draft.collection;
  const catalog::Definition& definition = collection.declaration.definition();
  const config::CollectionSettings& settings = collection.declaration.settings();
  share.plan = std::make_shared<block::CollectionPlan>();
  block::CollectionPlan& plan = *share.plan;
  plan.name = collection.name;
  for (const catalog::Variable& variable : definition.variables) plan.variables.push_back(variable.name);
  plan.chunks = definition.format->traits.chunks;
  plan.big_endian = definition.format->traits.big_endian && !draft.by_library;
  plan.owns_files = draft.set.empty() ? share.writer == collection.home_writer
                                      : std::ranges::count(draft.set, share.writer, &FilePart::writer) > 0;
  plan.priority = settings.priority;
  plan.durability = settings.durability;
  plan.direct_io = draft.given.settings.direct_io;
  plan.has_companions = settings.record_checksums;
  if ((settings.record_checksums || settings.checksum_attributes) && !collection.procedure)
    plan.summed = summed_files(draft, share.writer);
  if (!draft.by_library) describe_format(draft, plan);
}

void number_chunks(Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  Collection& collection = draft.collection;
  std::vector<int> writers = collection.other_writers;
  writers.push_back(roles.rank);
  for (const int writer : writers) collection.chunks_of[writer] = {writer};
  for (std::size_t node = 0; draft.collection.by_claims && node < draft.writers.of_node.size(); ++node)
    for (const int writer : draft.writers.of_node[node])
      collection.chunks_of[writer] = {draft.writers.of_node[node].front(),
                                      Collection::claimed_on(static_cast<int>(node))};
  for (const auto& [writer, numbers] : collection.chunks_of)
    for (const int number : numbers) collection.record_chunks[number];
}

void plan_chunks(Draft& draft) {
  Collection& collection = draft.collection;
  number_chunks(draft);
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const catalog::Variable& of = collection.variable(variable);
    const bool is_encoded = of.encoding.changes_size();
    const auto add = [&](int writer, int domain, int part) {
      const auto chunks = draft.chunks_of(variable, domain);
      if (!chunks) return;
      auto& of_writer = (of.has_record ? collection.record_chunks : collection.fixed_chunks)[writer];
      for (std::int64_t k = 0; k < chunks->size(); ++k)
        of_writer.push_back({variable, chunks->number(k), is_encoded, part});
    };
    for (const FilePart& part : collection.parts) add(part.writer, part.number, part.place);
    if (!draft.set.empty()) continue;
    const bool is_claimed = draft.collection.by_claims && of.has_record && !draft.is_kept(variable);
    const std::vector<int>& node_of = draft.plans[v]->node_of_domain;
    for (int d = 0; d < std::ssize(node_of); ++d)
      add(is_claimed ? Collection::claimed_on(node_of[static_cast<std::size_t>(d)]) : draft.writer_of(variable, d), d,
          0);
  }
}

}  // namespace

void describe_files(Draft& draft) {
  Collection& collection = draft.collection;
  const roles::Roles& roles = draft.given.roles;
  for (const FilePart& part : draft.set)
    if (part.writer == roles.rank) collection.parts.push_back(part);
  collection.files_in_set = std::ssize(draft.set);
  if (roles.rank == collection.home_writer) collection.set = draft.set;
  const std::vector<int>& writers = draft.writers.of_node[static_cast<std::size_t>(roles.node)];
  draft.shares.resize(std::max<std::size_t>(1, writers.size()));
  for (std::size_t share = 0; share < draft.shares.size(); ++share) {
    if (!writers.empty()) draft.shares[share].writer = writers[share];
    describe_share(draft, draft.shares[share]);
  }
}

// Of a set, who writes some of its files; else who has blocks, and always the home.
void decide_who_takes_part(Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  Collection& collection = draft.collection;
  if (!draft.set.empty()) {
    for (ShareDraft& share : draft.shares) share.participates = share.plan->owns_files;
  } else {
    std::vector<bool> takes_part(static_cast<std::size_t>(roles.size), false);
    takes_part[static_cast<std::size_t>(collection.home_writer)] = true;
    for (std::size_t v = 0; v < draft.plans.size(); ++v)
      for (int d = 0; d < std::ssize(draft.plans[v]->node_of_domain); ++d)
        for (const int writer : draft.writers_of(static_cast<int>(v), d))
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

}  // namespace thalweg::client
