#include "planning/plan_collection.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "formats/format_file.hpp"
#include "planning/block_builder.hpp"
#include "planning/chunk_choice.hpp"
#include "planning/domain_choice.hpp"
#include "planning/file_probe.hpp"
#include "planning/pattern.hpp"
#include "planning/set_cut.hpp"
#include "planning/writer_choice.hpp"
#include "planning/writer_parts.hpp"
#include "staging/budget.hpp"
#include "transport/agreement.hpp"

namespace thalweg::planning {
namespace {

// What does not fit is said before anything collective depends on it, or has a length that follows from the sizes.
// Files of a set are smaller than the whole, and looked at when they are made.
void check_sizes(const Draft& draft) {
  const catalog::Definition& definition = draft.definition;
  formats::check_sizes(definition);
  if (!makes_set(draft.pattern)) formats::check_extents(definition);
}

void choose_cuts(Draft& draft) {
  const auto variables = static_cast<int>(draft.definition.variables.size());
  for (int v = 0; v < variables; ++v)
    if (draft.chunked)
      choose_chunk(draft, v);
    else if (const int decomposition = draft.declaration.model_side(v).decomposition; decomposition >= 0)
      choose_domains(draft, decomposition);
}

// Of a set, cuts follow from its files.
void choose_plans(Draft& draft, PlanBook& plans) {
  plans.gather_boundaries(draft);
  if (makes_set(draft.pattern)) {
    cut_set(draft, plans);
    transport::together(draft.given.roles.world, [&] { choose_cuts(draft); });
  }
  for (int v = 0; v < std::ssize(draft.definition.variables); ++v) draft.plans.push_back(plans.of(draft, v));
  divide_blocks(draft);
}

void plan_files_and_blocks(Draft& draft, PointCuts& cuts) {
  describe_files(draft);
  plan_blocks(draft, cuts);
  decide_who_takes_part(draft);
  lay_out(draft);
  count_messages(draft);
}

std::string_view word_of(const Draft& draft) {
  switch (draft.pattern) {
    case config::Pattern::per_domain: return "a set of files, one a domain";
    case config::Pattern::per_rank: return "a set of files, one a rank";
    case config::Pattern::shared: return "one file of several domains";
    default: return "one file, one writer";
  }
}

// Those that have blocks of it, or may have them where records go to whoever is idle.
std::string told_writers(const Draft& draft) {
  std::set<int> writers;
  for (int v = 0; v < std::ssize(draft.plans); ++v) {
    const std::vector<int>& nodes = draft.plans[static_cast<std::size_t>(v)]->node_of_domain;
    for (int domain = 0; domain < std::ssize(nodes); ++domain)
      if (nodes[static_cast<std::size_t>(domain)] >= 0)
        std::ranges::copy(draft.writers_of(v, domain), std::inserter(writers, writers.end()));
  }
  const roles::ServerGroups& groups = draft.given.roles.groups;
  const std::string group =
      groups.count() > 1 ? fmt::format(", group {} of servers", groups.group_of(draft.identity.number)) : "";
  return fmt::format("written by rank{} {}{}", writers.size() == 1 ? "" : "s", fmt::join(writers, ", "), group);
}

void explain(const Draft& draft) {
  if (!log::enabled(log::Level::debug)) return;
  if (draft.chunked) explain_chunks(draft);
  const std::int64_t bytes = bytes_of_record(draft.definition);
  log::debug("collection '{}': format {}, {}, {} a record, {}", draft.identity.name, draft.definition.format->name,
             draft.callback ? "a procedure of the model" : word_of(draft), staging::readable_bytes(bytes),
             told_writers(draft));
}

}  // namespace

void choose_shapes(Draft& draft) {
  check_sizes(draft);
  if (!makes_set(draft.pattern)) choose_cuts(draft);
}

void plan_collections(std::list<Draft>& drafts, PlanBook& plans, PointCuts& cuts, const AtStorage& at_storage) {
  for (Draft& draft : drafts) choose_plans(draft, plans);
  probe_files(drafts, at_storage);
  for (Draft& draft : drafts) {
    plan_files_and_blocks(draft, cuts);
    if (draft.given.roles.rank == 0) explain(draft);
  }
}

}  // namespace thalweg::planning
