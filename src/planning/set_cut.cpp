#include "planning/set_cut.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/told.hpp"
#include "planning/domain_choice.hpp"
#include "planning/writer_choice.hpp"
#include "sets/file_set.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::planning {
namespace {

std::vector<std::int64_t> pack(const Box& box) {
  std::vector<std::int64_t> numbers(box.start.begin(), box.start.end());
  numbers.insert(numbers.end(), box.count.begin(), box.count.end());
  return numbers;
}

// A dimension that the variable has twice, and that files hold sections of; -1: there is none. Each file would have the
// values on the diagonal alone, where both indices are of its section, and no file the others.
int twice_in_sections(const catalog::Variable& variable, const catalog::Definition& definition,
                      const std::vector<files::FilePart>& set) {
  for (const int d : variable.dimensions) {
    const auto number = static_cast<std::size_t>(d);
    const sets::Section whole{0, definition.dimensions[number].size};
    const auto is_cut = [&](const files::FilePart& part) { return !(part.sections[number] == whole); };
    if (std::ranges::count(variable.dimensions, d) > 1 && std::ranges::any_of(set, is_cut)) return d;
  }
  return -1;
}

void refuse_index_lists(const Draft& draft, const std::vector<int>& decompositions) {
  const config::CollectionSettings& settings = draft.declaration.settings();
  for (const int d : decompositions) {
    const geometry::Decomposition& of = draft.given.decomposition(d);
    if (of.list)
      fail(THALWEG_ERROR_CONFIG,
           "{}: collection '{}': pattern '{}' makes a set of files, each of which holds one box of the whole, but ({}) "
           "is decomposed by index lists; set pattern: shared",
           settings.place, settings.name, draft.pattern == config::Pattern::per_rank ? "per-rank" : "per-domain",
           told::names(of.dimensions));
  }
}

// The own one, if it writes; else the nodes that do get the files of ranks evenly.
int node_for_own_file(const Draft& draft) {
  const roles::Roles& roles = draft.given.roles;
  const std::vector<int>& nodes = roles.groups.writing_nodes(roles.groups.group_of(draft.identity.number));
  if (std::ranges::binary_search(nodes, roles.node)) return roles.node;
  const auto turn = static_cast<std::size_t>(roles.rank) * nodes.size() / static_cast<std::size_t>(roles.size);
  return nodes[turn];
}

// boxes: what the file holds of each decomposition.
void add_part(Draft& draft, int number, int node, const std::vector<int>& decompositions,
              const std::vector<Box>& boxes) {
  const catalog::Definition& definition = draft.definition;
  files::FilePart part{number, node, 0, 0, sets::whole_sections(definition)};
  std::vector<bool> is_cut(definition.dimensions.size(), false);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto& names = draft.given.decomposition(decompositions[i]).dimensions;
    for (std::size_t d = 0; d < names.size(); ++d) {
      const auto found = std::ranges::find(definition.dimensions, names[d], &catalog::Dimension::name);
      const auto dimension = static_cast<std::size_t>(found - definition.dimensions.begin());
      const sets::Section section{boxes[i].start[static_cast<int>(d)], boxes[i].count[static_cast<int>(d)]};
      if (is_cut[dimension] && !(part.sections[dimension] == section))
        fail(THALWEG_ERROR_CONFIG,
             "{}: collection '{}': file {} of the set would hold the cells {} to {} of dimension '{}' by one "
             "decomposition and {} to {} by another; cut them alike, name their dimensions differently, or set "
             "pattern: shared",
             draft.declaration.settings().place, draft.identity.name, number, part.sections[dimension].start,
             part.sections[dimension].start + part.sections[dimension].count - 1, names[d], section.start,
             section.start + section.count - 1);
      part.sections[dimension] = section;
      is_cut[dimension] = true;
    }
  }
  draft.set.push_back(std::move(part));
}

// Domains that nobody feeds have no file.
void cut_at_domains(Draft& draft, PlanBook& plans, const std::vector<int>& decompositions) {
  const roles::Roles& roles = draft.given.roles;
  std::vector<geometry::Layout> layouts;
  transport::together(roles.world, [&] {
    for (const int d : decompositions)
      layouts.push_back(geometry::Layout::at_boundaries(draft.given.decomposition(d).shape, choose_domains(draft, d),
                                                        *plans.boundaries(d)));
  });
  // All that lies in a file is written by one node: the one that holds most of the first decomposition's domain.
  const std::vector<int> node_of = transport::nodes_of_domains(roles, draft.given.decomposition(decompositions.front()),
                                                               layouts.front(), writing_of(draft));
  std::vector<std::int64_t> pieces(node_of.size(), 0);
  for (std::size_t i = 0; i < decompositions.size(); ++i) {
    const transport::Plan* plan = plans.for_nodes(decompositions[i], layouts[i], node_of);
    draft.set_plans[decompositions[i]] = plan;
    for (const transport::OwnedDomain& owned : plan->owned)
      if (roles.leads_node()) pieces[static_cast<std::size_t>(owned.domain)] += owned.pieces;
  }
  transport::sum(roles.world, pieces);
  if (std::count(pieces.begin(), pieces.end(), 0) == std::ssize(pieces)) pieces.front() = 1;  // a set has a file
  transport::together(roles.world, [&] {
    for (std::size_t number = 0; number < pieces.size(); ++number) {
      if (pieces[number] == 0) continue;
      std::vector<Box> boxes;
      for (const geometry::Layout& layout : layouts) boxes.push_back(layout.domain(static_cast<int>(number)));
      add_part(draft, static_cast<int>(number), node_of[number], decompositions, boxes);
    }
  });
}

void check_one_box(const Draft& draft, const std::vector<int>& decompositions) {
  for (const int d : decompositions) {
    const geometry::Decomposition& of = draft.given.decomposition(d);
    const auto boxes = std::count_if(of.boxes.begin(), of.boxes.end(), [](const Box& box) { return !box.empty(); });
    if (boxes > 1)
      fail(THALWEG_ERROR_CONFIG,
           "{}: collection '{}': with pattern 'per-rank' a rank's file is one box, but rank {} holds {} boxes of "
           "({}); set pattern: per-domain",
           draft.declaration.settings().place, draft.identity.name, draft.given.roles.rank, boxes,
           told::names(of.dimensions));
  }
}

std::vector<std::string> empty_dimensions(const Draft& draft, const std::vector<int>& decompositions,
                                          const std::vector<Box>& held) {
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i].empty()) return draft.given.decomposition(decompositions[i]).dimensions;
  return {};
}

// The box of each rank, empty where it has none. Collective.
std::vector<Box> boxes_of_ranks(const Draft& draft, int decomposition) {
  const roles::Roles& roles = draft.given.roles;
  const geometry::Decomposition& of = draft.given.decomposition(decomposition);
  const auto each = static_cast<std::size_t>(2 * of.shape.rank());
  std::vector<std::int64_t> numbers(each * static_cast<std::size_t>(roles.size), 0);
  for (const Box& box : of.boxes)
    if (!box.empty()) {
      const std::vector<std::int64_t> own = pack(box);
      std::copy(own.begin(), own.end(), numbers.begin() + static_cast<std::ptrdiff_t>(each) * roles.rank);
    }
  transport::sum(roles.world, numbers);
  std::vector<Box> boxes;
  for (auto from = numbers.begin(); from != numbers.end(); from += static_cast<std::ptrdiff_t>(each)) {
    Box& box = boxes.emplace_back();
    for (int d = 0; d < of.shape.rank(); ++d) {
      box.start.push_back(from[d]);
      box.count.push_back(from[of.shape.rank() + d]);
    }
  }
  return boxes;
}

// Ranks that hold nothing have no file.
void cut_at_ranks(Draft& draft, PlanBook& plans, const std::vector<int>& decompositions) {
  const roles::Roles& roles = draft.given.roles;
  transport::together(roles.world, [&] { check_one_box(draft, decompositions); });
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(roles.size), 0);
  nodes[static_cast<std::size_t>(roles.rank)] = node_for_own_file(draft);
  transport::sum(roles.world, nodes);
  const std::vector<int> node_of(nodes.begin(), nodes.end());
  std::vector<std::vector<Box>> boxes;  // of each decomposition, of each rank
  for (const int d : decompositions) {
    boxes.push_back(boxes_of_ranks(draft, d));
    draft.set_plans[d] = plans.of_ranks(d, node_of);
  }
  transport::together(roles.world, [&] {
    for (int rank = 0; rank < roles.size; ++rank) {
      std::vector<Box> held;
      for (const std::vector<Box>& of_ranks : boxes) held.push_back(of_ranks[static_cast<std::size_t>(rank)]);
      const auto empty = std::count_if(held.begin(), held.end(), [](const Box& box) { return box.empty(); });
      if (empty == std::ssize(held)) continue;
      if (empty > 0)
        fail(THALWEG_ERROR_CONFIG,
             "{}: collection '{}': with pattern 'per-rank' a rank holds cells of all decompositions of the collection "
             "or of none, but rank {} holds none of ({}); set pattern: per-domain",
             draft.declaration.settings().place, draft.identity.name, rank,
             told::names(empty_dimensions(draft, decompositions, held)));
      add_part(draft, rank, node_of[static_cast<std::size_t>(rank)], decompositions, held);
    }
    if (draft.set.empty())
      fail(THALWEG_ERROR_CONFIG, "{}: collection '{}': pattern 'per-rank' makes no file, because no rank holds a cell",
           draft.declaration.settings().place, draft.identity.name);
  });
}

// Files of a set can be joined if what they hold of a variable is equal or disjoint.
void check_set(const Draft& draft) {
  if (draft.given.roles.rank != 0) return;
  const catalog::Definition& definition = draft.definition;
  for (const catalog::Variable& variable : definition.variables)
    if (const int twice = twice_in_sections(variable, definition, draft.set); twice >= 0)
      fail(THALWEG_ERROR_FORMAT,
           "{}: collection '{}', variable '{}': it has the dimension '{}' twice, of which each file of the set holds a "
           "section, so that no file would hold most of its values; set pattern: shared, or give the second one a name "
           "of its own",
           draft.declaration.settings().place, draft.identity.name, variable.name,
           definition.dimensions[static_cast<std::size_t>(twice)].name);
  std::vector<sets::SetPart> parts;
  for (const files::FilePart& part : draft.set)
    parts.push_back({storage::part_name(draft.declaration.settings().file, part.number), part.sections});
  std::vector<std::vector<int>> seen;
  for (const catalog::Variable& variable : definition.variables) {
    if (std::count(seen.begin(), seen.end(), variable.dimensions) != 0) continue;
    seen.push_back(variable.dimensions);
    try {
      sets::sources_of(variable, parts);
    } catch (const Error& error) {
      fail(THALWEG_ERROR_CONFIG,
           "{}: collection '{}': the boxes of its decompositions make no set of files that could be joined: {}; set "
           "pattern: shared",
           draft.declaration.settings().place, draft.identity.name, error.what());
    }
  }
}

}  // namespace

void cut_set(Draft& draft, PlanBook& plans) {
  const std::vector<int> decompositions = decompositions_of(draft.declaration);
  transport::together(draft.given.roles.world, [&] { refuse_index_lists(draft, decompositions); });
  if (decompositions.empty())
    add_part(draft, 0, draft.file_plan.owner_node, {}, {});
  else if (draft.pattern == config::Pattern::per_rank)
    cut_at_ranks(draft, plans, decompositions);
  else
    cut_at_domains(draft, plans, decompositions);
  transport::together(draft.given.roles.world, [&] { check_set(draft); });
  divide_set(draft);
  const files::FilePart& first = draft.set[static_cast<std::size_t>(draft.identity.number) % draft.set.size()];
  draft.file_plan.owner_node = first.node;
  draft.file_plan.owner = first.writer;
}

}  // namespace thalweg::planning
