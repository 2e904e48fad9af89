#include "planning/draft.hpp"

#include <algorithm>

#include "planning/pattern.hpp"

namespace thalweg::planning {

Draft::Draft(const Subject& subject)
    : Subject(subject),
      definition(declaration.definition()),
      chunked(definition.format->traits.chunked()),
      by_mpiio(declaration.settings().engine == config::Engine::library) {}

// ---- who writes

bool WriterChoice::is_divided() const {
  return std::ranges::any_of(of_node, [](const std::vector<int>& writers) { return writers.size() > 1; });
}

const files::FilePart* Draft::part_of(int domain) const {
  const auto found = std::ranges::lower_bound(set, domain, {}, &files::FilePart::number);
  return found == set.end() || found->number != domain ? nullptr : &*found;
}

int Draft::writer_of(int variable, int domain) const {
  if (const files::FilePart* part = part_of(domain)) return part->writer;
  const auto v = static_cast<std::size_t>(variable);
  const auto d = static_cast<std::size_t>(domain);
  if (!writers.of_block.empty()) return writers.of_block[v][d];
  return writers.of_node[static_cast<std::size_t>(plans[v]->node_of_domain[d])].front();
}

std::vector<int> Draft::writers_of(int variable, int domain) const {
  if (!file_plan.assigns_records || is_pinned(variable)) return {writer_of(variable, domain)};
  const int node = plans[static_cast<std::size_t>(variable)]->node_of_domain[static_cast<std::size_t>(domain)];
  return writers.of_node[static_cast<std::size_t>(node)];
}

// That write a record.
std::int64_t Draft::writer_count() const {
  std::int64_t count = 0;
  for (const std::vector<int>& of_node : writers.of_node)
    count += file_plan.assigns_records ? std::min<std::int64_t>(1, std::ssize(of_node)) : std::ssize(of_node);
  return count;
}

// Not assigned with the record: its time, which the owner node puts and should not wait for others to free its block,
// and what lies with values of other records in one object of Zarr, which one writer has to gather.
bool Draft::is_pinned(int variable) const {
  const bool is_object = declaration.definition().format->traits.objects;
  return variable == declaration.own_coordinate() || (is_object && this->variable(variable).chunk_records > 1);
}

// Where records are assigned the blocks of records are those of the first part, for all writers of the node.
bool Draft::follows_first(const PartDraft& part) const {
  return file_plan.assigns_records && &part != &writer_parts.front() && !part.plan->record_blocks.empty();
}

// ---- where

Box Draft::box_of(int variable, int domain) const {
  if (const files::FilePart* part = part_of(domain)) return sets::box_of(this->variable(variable), part->sections);
  const geometry::Layout& layout = plans[static_cast<std::size_t>(variable)]->layout;
  return in_variable(variable, layout.rank() == 0 ? Box{} : layout.domain(domain));
}

Index Draft::file_shape(int variable, int domain) const {
  if (part_of(domain) != nullptr) return box_of(variable, domain).count;
  return definition.joined_shape(this->variable(variable));
}

// Which cell of the whole is the first one in the file.
Index Draft::file_origin(int variable, int domain) const {
  const Box box = box_of(variable, domain);
  return part_of(domain) != nullptr ? box.start : Index::filled(box.rank(), 0);
}

std::optional<geometry::ChunkGrid> Draft::chunks_of(int variable, int domain) const {
  const catalog::Variable& of = this->variable(variable);
  if (!chunked || by_mpiio || !of.is_chunked) return std::nullopt;
  const Index shape = file_shape(variable, domain);
  Index chunk = of.joined.joined(of.chunk);
  for (int d = 0; d < chunk.rank(); ++d) chunk[d] = std::min(chunk[d], shape[d]);
  const Box in_file = moved(box_of(variable, domain), file_origin(variable, domain), -1);
  return geometry::ChunkGrid{shape, chunk, in_file};
}

std::uint32_t Draft::expected_pieces(int variable, int domain) const {
  for (const transport::OwnedDomain& owned : plans[static_cast<std::size_t>(variable)]->owned)
    if (owned.domain == domain) return owned.pieces;
  return 0;
}

const block::PlannedBlock& Draft::block(int variable, const block::BlockPlace& place) const {
  const block::CollectionPlan& plan = *writer_parts[static_cast<std::size_t>(place.part)].plan;
  const bool has_record = this->variable(variable).has_record;
  return (has_record ? plan.record_blocks : plan.fixed_blocks)[static_cast<std::size_t>(place.number)];
}

}  // namespace thalweg::planning
