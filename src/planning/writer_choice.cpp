#include "planning/writer_choice.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "geometry/division.hpp"
#include "planning/pattern.hpp"
#include "staging/record_assignment.hpp"

namespace thalweg::planning {
namespace {

std::int64_t bytes_of(const catalog::Variable& variable, const Box& box) {
  return box.cells() * static_cast<std::int64_t>(size_of(variable.type));
}

// What a file of a set holds for each record or, if there are none, once.
std::int64_t bytes_of_part(const catalog::Definition& definition, const files::FilePart& part) {
  std::int64_t of_record = 0;
  std::int64_t fixed = 0;
  for (const catalog::Variable& variable : definition.variables)
    (variable.has_record ? of_record : fixed) += bytes_of(variable, sets::box_of(variable, part.sections));
  return of_record > 0 ? of_record : fixed;
}

// Blocks of a node, and what their division needs to know of them.
struct NodeBlocks {
  std::vector<std::pair<int, int>> of;  // variable, domain
  std::vector<geometry::Portion> portions;
};

void check_servers(const config::CollectionSettings& settings, std::int64_t most, const roles::Roles& roles) {
  if (settings.servers == config::all_servers || settings.servers <= most) return;
  if (roles.has_servers())
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}': its I/O domains are to be divided over {} servers of a node, but no node has more than "
         "{}{}; set 'servers' to {} or all, or start more servers",
         settings.place, settings.name, settings.servers, most, roles.groups.count() > 1 ? " of its group" : "", most);
  if (roles.rank == 0)
    log::note(
        "collection '{}': servers: {} has no effect beyond the {} of a node that write without servers "
        "('writers.per-node')",
        settings.name, settings.servers, counted(most, "rank"));
}

// Where records do not stay with a writer, what one of a node would write. Files of sets have one writer, as procedures
// do.
void let_any_write(Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  const config::CollectionSettings& settings = draft.declaration.settings();
  if (draft.given.settings.assign->writer_of == nullptr || settings.servers != 1 || makes_set(draft.pattern) ||
      draft.by_mpiio || draft.callback)
    return;
  for (int node = 0; node < roles.node_count; ++node) {
    std::vector<int>& writers = draft.writers.of_node[static_cast<std::size_t>(node)];
    for (const int other : roles.groups.writers_of(draft.identity.number, node))
      if (other != writers.front() && std::ssize(writers) < staging::RecordAssignment::most_writers)
        writers.push_back(other);
    draft.file_plan.assigns_records |= writers.size() > 1;
  }
}

// The layout is not known yet: writers of a shared file are taken to have equal parts of it.
void count_load(const Draft& draft, WriterLoads& loads) {
  const config::CollectionSettings& settings = draft.declaration.settings();
  const auto bytes = static_cast<double>(bytes_of_record(draft.definition));
  const double bytes_a_step = bytes / steps_between(settings.every, draft.given.settings.time_step_s);
  if (draft.pattern == config::Pattern::single) return loads.give(draft.file_plan.owner, bytes_a_step);
  double writers = 0.0;
  for (const std::vector<int>& of_node : draft.writers.of_node) writers += static_cast<double>(of_node.size());
  for (const std::vector<int>& of_node : draft.writers.of_node)
    for (const int writer : of_node) loads.give(writer, bytes_a_step / writers);
}

void divide_blocks_with(Draft& draft, bool has_record) {
  std::vector<NodeBlocks> blocks(draft.writers.of_node.size());
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const catalog::Variable& of = draft.variable(variable);
    if (of.has_record != has_record) continue;
    const std::vector<int>& node_of = draft.plans[v]->node_of_domain;
    std::vector<std::int64_t> places(blocks.size(), 0);
    for (const int node : node_of) ++places[static_cast<std::size_t>(node)];
    std::vector<std::int64_t> before(blocks.size(), 0);
    for (std::size_t d = 0; d < node_of.size(); ++d) {
      const int domain = static_cast<int>(d);
      const auto node = static_cast<std::size_t>(node_of[d]);
      blocks[node].of.emplace_back(variable, domain);
      blocks[node].portions.push_back({before[node]++, places[node], bytes_of(of, draft.box_of(variable, domain))});
    }
  }
  for (std::size_t node = 0; node < blocks.size(); ++node) {
    const std::vector<int> share_of =
        geometry::divide(blocks[node].portions, static_cast<int>(draft.writers.of_node[node].size()));
    for (std::size_t b = 0; b < share_of.size(); ++b) {
      const auto& [variable, domain] = blocks[node].of[b];
      draft.writers.of_block[static_cast<std::size_t>(variable)][static_cast<std::size_t>(domain)] =
          draft.writers.of_node[node][static_cast<std::size_t>(share_of[b])];
    }
  }
}

}  // namespace

void choose_writers(Draft& draft, const WriterLoads& loads) {
  const roles::Roles& roles = draft.given.roles;
  const config::CollectionSettings& settings = draft.declaration.settings();
  const bool by_load = draft.given.settings.assign->by_load;
  std::int64_t most = 0;
  for (int node = 0; node < roles.node_count; ++node) {
    std::vector<int> writers = roles.groups.writers_of(draft.identity.number, node);
    if (by_load) loads.put_idlest_first(writers);
    writers.resize(std::min(writers.size(), static_cast<std::size_t>(settings.servers)));
    most = std::max<std::int64_t>(most, std::ssize(writers));
    draft.writers.of_node.push_back(std::move(writers));
  }
  check_servers(settings, most, roles);
  const auto first_writer = [&](int node) { return draft.writers.of_node[static_cast<std::size_t>(node)].front(); };
  const std::vector<int> nodes = roles.groups.owner_nodes(draft.identity.number);
  const auto load = [&](int node) { return loads.of(first_writer(node)); };
  draft.file_plan.owner_node = by_load ? *std::ranges::min_element(nodes, {}, load) : nodes.front();
  draft.file_plan.owner = first_writer(draft.file_plan.owner_node);
}

void choose_writing(Draft& draft, WriterLoads& loads) {
  const roles::Roles& roles = draft.given.roles;
  const catalog::Declaration& declaration = draft.declaration;
  const int group = roles.groups.group_of(draft.identity.number);
  const auto writing_nodes = static_cast<int>(roles.groups.writing_nodes(group).size());
  draft.pattern = choose_pattern(declaration.settings(), writing_nodes, static_cast<int>(draft.writer_count()),
                                 bytes_of_record(declaration.definition()), draft.given.settings.staging);
  let_any_write(draft);
  count_load(draft, loads);
}

// What is written with each record and what is written once are divided each for itself.
void divide_blocks(Draft& draft) {
  if (!draft.set.empty() || draft.file_plan.assigns_records || !draft.writers.is_divided()) return;
  for (const transport::Plan* plan : draft.plans) draft.writers.of_block.emplace_back(plan->node_of_domain.size(), -1);
  for (const bool has_record : {true, false}) divide_blocks_with(draft, has_record);
  // The owner node's writer puts the time of records itself, so it waits for no other writer to free the block.
  if (const int coordinate = draft.declaration.own_coordinate(); coordinate >= 0)
    draft.writers.of_block[static_cast<std::size_t>(coordinate)].front() = draft.file_plan.owner;
}

// A file of a set has one writer.
void divide_set(Draft& draft) {
  const catalog::Definition& definition = draft.definition;
  for (std::size_t node = 0; node < draft.writers.of_node.size(); ++node) {
    std::vector<files::FilePart*> parts;
    for (files::FilePart& part : draft.set)
      if (part.node == static_cast<int>(node)) parts.push_back(&part);
    std::vector<geometry::Portion> portions;
    for (const files::FilePart* part : parts)
      portions.push_back({std::ssize(portions), std::ssize(parts), bytes_of_part(definition, *part)});
    const std::vector<int> share_of = geometry::divide(portions, static_cast<int>(draft.writers.of_node[node].size()));
    std::map<int, int> files;  // of each writer
    for (std::size_t p = 0; p < parts.size(); ++p) {
      parts[p]->writer = draft.writers.of_node[node][static_cast<std::size_t>(share_of[p])];
      parts[p]->place = files[parts[p]->writer]++;
    }
  }
}

}  // namespace thalweg::planning
