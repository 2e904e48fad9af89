#include "planning/writer_parts.hpp"

#include <algorithm>

#include "formats/registry.hpp"

namespace thalweg::planning {
namespace {

std::shared_ptr<const block::Callback> with_variables(block::Callback procedure,
                                                      const catalog::Definition& definition) {
  for (const catalog::Variable& variable : definition.variables) {
    procedure.names.push_back(variable.name);
    procedure.shapes.push_back(definition.shape(variable));
    procedure.joined.push_back(variable.joined);
  }
  return std::make_shared<const block::Callback>(std::move(procedure));
}

std::shared_ptr<const block::SummedFiles> summed_files(const Draft& draft, int writer) {
  const catalog::Definition definition = catalog::in_files(draft.definition);
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
  for (const files::FilePart& part : draft.set)
    if (part.writer == writer) add(part.sections);
  if (draft.set.empty()) add(sets::whole_sections(definition));
  return files;
}

void describe_format(const Draft& draft, block::CollectionPlan& plan) {
  const catalog::Definition& definition = draft.definition;
  if (const auto make_objects = formats::row_of(definition.format).objects)
    plan.files.objects = make_objects(catalog::in_files(definition));
  if (draft.callback) plan.files.callback = with_variables(*draft.callback, definition);
  for (const catalog::Variable& variable : definition.variables)
    if (variable.encoding.changes_size() && !plan.files.objects)
      (variable.has_record ? plan.files.sizes_first : plan.files.fixed_sizes_first) = true;
  if (draft.chunked && !draft.places.empty()) plan.files.checksum_first = draft.places.begin()->second.front() != 0;
}

// What a writer of this node needs to know of the collection beside blocks.
void describe_part(const Draft& draft, PartDraft& part) {
  const catalog::Definition& definition = draft.definition;
  const config::CollectionSettings& settings = draft.declaration.settings();
  part.plan = std::make_shared<block::CollectionPlan>();
  block::CollectionPlan& plan = *part.plan;
  plan.name = draft.identity.name;
  plan.word = draft.identity.word;
  for (const catalog::Variable& variable : definition.variables) plan.variables.push_back(variable.name);
  plan.files.chunks = definition.format->traits.chunks;
  plan.files.big_endian = definition.format->traits.big_endian && !draft.by_mpiio;
  if (settings.ends_with_record())
    plan.files.records =
        definition.one_record ? block::RecordsInFile::one_without_dimension : block::RecordsInFile::one;
  plan.files.owned = draft.set.empty() ? part.writer == draft.file_plan.owner
                                       : std::ranges::count(draft.set, part.writer, &files::FilePart::writer) > 0;
  plan.files.priority = settings.priority;
  plan.files.durability = settings.durability;
  plan.files.direct_io = draft.given.settings.direct_io;
  plan.files.has_companions = settings.record_checksums;
  if ((settings.record_checksums || settings.checksum_attributes) && !draft.callback)
    plan.files.summed = summed_files(draft, part.writer);
  if (!draft.by_mpiio) describe_format(draft, plan);
}

void number_chunks(Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  std::vector<int> writers = draft.file_plan.other_writers;
  writers.push_back(roles.rank);
  for (const int writer : writers) draft.file_plan.chunks_of[writer] = {writer};
  for (std::size_t node = 0; draft.file_plan.assigns_records && node < draft.writers.of_node.size(); ++node)
    for (const int writer : draft.writers.of_node[node])
      draft.file_plan.chunks_of[writer] = {draft.writers.of_node[node].front(),
                                           files::FilePlan::assigned_on(static_cast<int>(node))};
  for (const auto& [writer, numbers] : draft.file_plan.chunks_of)
    for (const int number : numbers) draft.file_plan.record_chunks[number];
}

void plan_chunks(Draft& draft) {
  number_chunks(draft);
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const catalog::Variable& of = draft.variable(variable);
    const bool is_encoded = of.encoding.changes_size();
    const auto add = [&](int writer, int domain, int part) {
      const auto chunks = draft.chunks_of(variable, domain);
      if (!chunks) return;
      auto& of_writer = (of.has_record ? draft.file_plan.record_chunks : draft.file_plan.fixed_chunks)[writer];
      for (std::int64_t k = 0; k < chunks->size(); ++k)
        of_writer.push_back({variable, chunks->number(k), is_encoded, part});
    };
    for (const files::FilePart& part : draft.file_plan.parts) add(part.writer, part.number, part.place);
    if (!draft.set.empty()) continue;
    const bool is_assigned = draft.file_plan.assigns_records && of.has_record && !draft.is_pinned(variable);
    const std::vector<int>& node_of = draft.plans[v]->node_of_domain;
    for (int d = 0; d < std::ssize(node_of); ++d)
      add(is_assigned ? files::FilePlan::assigned_on(node_of[static_cast<std::size_t>(d)])
                      : draft.writer_of(variable, d),
          d, 0);
  }
}

}  // namespace

void describe_files(Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  for (const files::FilePart& part : draft.set)
    if (part.writer == roles.rank) draft.file_plan.parts.push_back(part);
  draft.file_plan.files_in_set = std::ssize(draft.set);
  if (roles.rank == draft.file_plan.owner) draft.file_plan.set = draft.set;
  const std::vector<int>& writers = draft.writers.of_node[static_cast<std::size_t>(roles.node)];
  draft.writer_parts.resize(std::max<std::size_t>(1, writers.size()));
  for (std::size_t part = 0; part < draft.writer_parts.size(); ++part) {
    if (!writers.empty()) draft.writer_parts[part].writer = writers[part];
    describe_part(draft, draft.writer_parts[part]);
  }
}

// Of a set, who writes some of its files; else who has blocks, and always the file owner.
void decide_who_takes_part(Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  if (!draft.set.empty()) {
    for (PartDraft& part : draft.writer_parts) part.participates = part.plan->files.owned;
  } else {
    std::vector<bool> takes_part(static_cast<std::size_t>(roles.size), false);
    takes_part[static_cast<std::size_t>(draft.file_plan.owner)] = true;
    for (std::size_t v = 0; v < draft.plans.size(); ++v)
      for (int d = 0; d < std::ssize(draft.plans[v]->node_of_domain); ++d)
        for (const int writer : draft.writers_of(static_cast<int>(v), d))
          takes_part[static_cast<std::size_t>(writer)] = true;
    // A writer with fixed blocks only hears of records as well, because it reports them.
    for (int rank = 0; rank < roles.size; ++rank)
      if (takes_part[static_cast<std::size_t>(rank)] && rank != draft.file_plan.owner)
        draft.file_plan.other_writers.push_back(rank);
    for (PartDraft& part : draft.writer_parts) {
      part.participates = part.writer >= 0 && takes_part[static_cast<std::size_t>(part.writer)];
      part.plan->files.other_writers = static_cast<int>(draft.file_plan.other_writers.size());
    }
  }
  if (draft.chunked && (roles.rank == draft.file_plan.owner || !draft.file_plan.parts.empty())) plan_chunks(draft);
}

}  // namespace thalweg::planning
