#include "planning/plan_book.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "planning/domain_choice.hpp"
#include "planning/pattern.hpp"
#include "transport/index_plan.hpp"

namespace thalweg::planning {
namespace {

// By their numbers; -1 for numbers without a file.
std::vector<int> nodes_of_parts(const Draft& draft) {
  std::vector<int> node_of(static_cast<std::size_t>(draft.set.back().number) + 1, -1);
  for (const files::FilePart& part : draft.set) node_of[static_cast<std::size_t>(part.number)] = part.node;
  return node_of;
}

}  // namespace

transport::Writing writing_of(const Draft& draft) {
  return {draft.file_plan.owner_node, draft.given.roles.groups.group_of(draft.identity.number)};
}

// Chunks cut one file by themselves, and what is one domain is not cut.
void PlanBook::gather_boundaries(const Draft& draft) {
  const bool is_set = makes_set(draft.pattern);
  if (draft.chunked && !is_set) return;
  for (const int number : decompositions_of(draft.declaration)) {
    const geometry::Decomposition& of = given_.decomposition(number);
    const int content = given_.content(number);
    if (boundaries_.contains(content) || of.list) continue;
    if (is_set || choose_domains(draft, number).product() > 1)
      boundaries_.emplace(content, transport::all_boundaries(given_.roles, of));
  }
}

const geometry::Boundaries* PlanBook::boundaries(int decomposition) const {
  const auto found = boundaries_.find(given_.content(decomposition));
  return found == boundaries_.end() ? nullptr : &found->second;
}

const transport::Plan* PlanBook::of(const Draft& draft, int variable) {
  const catalog::ModelSide& side = draft.declaration.model_side(variable);
  if (makes_set(draft.pattern))
    return side.decomposition < 0 ? of_parts(draft, variable) : draft.set_plans.at(side.decomposition);
  if (side.decomposition >= 0)
    return for_layout(side.decomposition, choose_layout(draft, variable, boundaries(side.decomposition)),
                      writing_of(draft));
  if (variable == draft.declaration.own_coordinate()) return of_coordinate(draft);
  return side.is_held ? replicated(draft.file_plan.owner_node) : fill_only(draft.file_plan.owner_node);
}

const transport::Plan* PlanBook::for_layout(int decomposition, const geometry::Layout& layout,
                                            const transport::Writing& writing) {
  std::unique_ptr<transport::Plan>& plan = plans_[key_of(decomposition, layout, writing)];
  if (!plan) {
    const geometry::Decomposition& of = given_.decomposition(decomposition);
    plan = std::make_unique<transport::Plan>(of.list ? transport::make_index_plan(given_.roles, of, layout, writing)
                                                     : transport::make_plan(given_.roles, of, layout, writing));
    ++counters_.plans;
  }
  return plan.get();
}

void PlanBook::keep(int decomposition, const transport::Writing& writing, transport::Plan plan) {
  std::unique_ptr<transport::Plan>& kept = plans_[key_of(decomposition, plan.layout, writing)];
  if (kept) return;
  kept = std::make_unique<transport::Plan>(std::move(plan));
  ++counters_.plans;
}

std::string PlanBook::key_of(int decomposition, const geometry::Layout& layout,
                             const transport::Writing& writing) const {
  std::string key = fmt::format("{}@{}/{}:", given_.content(decomposition), writing.group, writing.owner_node);
  for (int d = 0; d < layout.domain_count(); ++d) key += to_string(layout.domain(d));
  return key;
}

// Every rank has the same values, and the lowest one contributes them: where they are not the same after all, it is the
// master, whose values are meant.
const transport::Plan* PlanBook::replicated(int owner_node) {
  std::unique_ptr<transport::Plan>& plan = plans_[fmt::format("replicated@{}", owner_node)];
  if (plan) return plan.get();
  std::vector<geometry::Piece> own;
  if (given_.roles.speaks_for_clients()) own.push_back({});
  plan = std::make_unique<transport::Plan>(transport::make_plan(given_.roles, {owner_node}, own));
  return plan.get();
}

// Who writes the files contributes the time of their records: it knows when they are closed.
const transport::Plan* PlanBook::of_coordinate(const Draft& draft) {
  const int writer = draft.file_plan.owner;
  std::unique_ptr<transport::Plan>& plan = plans_[fmt::format("coordinate@{}", writer)];
  if (plan) return plan.get();
  plan = std::make_unique<transport::Plan>();
  plan->node_of_domain = {draft.file_plan.owner_node};
  if (given_.roles.node == draft.file_plan.owner_node) plan->owned.push_back({0, 1, {}, nullptr});
  if (given_.roles.rank == writer) plan->local.push_back({});
  return plan.get();
}

// Nobody has values: it is one hole, which the writer of the owner node fills.
const transport::Plan* PlanBook::fill_only(int owner_node) {
  std::unique_ptr<transport::Plan>& plan = plans_[fmt::format("fill-only@{}", owner_node)];
  if (plan) return plan.get();
  plan = std::make_unique<transport::Plan>();
  plan->node_of_domain = {owner_node};
  if (given_.roles.node == owner_node) plan->owned.push_back({0, 0, {Box{}}, nullptr});
  return plan.get();
}

const transport::Plan* PlanBook::for_nodes(int decomposition, const geometry::Layout& layout,
                                           const std::vector<int>& node_of) {
  std::string key = fmt::format("{}@nodes {}:", given_.content(decomposition), fmt::join(node_of, ","));
  for (int d = 0; d < layout.domain_count(); ++d) key += to_string(layout.domain(d));
  std::unique_ptr<transport::Plan>& plan = plans_[key];
  if (!plan)
    plan = std::make_unique<transport::Plan>(
        transport::make_plan(given_.roles, given_.decomposition(decomposition), layout, node_of));
  return plan.get();
}

const transport::Plan* PlanBook::of_ranks(int decomposition, const std::vector<int>& node_of) {
  std::unique_ptr<transport::Plan>& plan =
      plans_[fmt::format("{}@ranks of {}", given_.content(decomposition), fmt::join(node_of, ","))];
  if (plan) return plan.get();
  std::vector<geometry::Piece> own;
  const std::vector<Box>& boxes = given_.decomposition(decomposition).boxes;
  for (int box = 0; box < std::ssize(boxes); ++box)
    if (const Box& cells = boxes[static_cast<std::size_t>(box)]; !cells.empty())
      own.push_back({given_.roles.rank, box, cells});
  plan = std::make_unique<transport::Plan>(transport::make_plan(given_.roles, node_of, own));
  return plan.get();
}

// What every rank has alike is in each file of the set; what nobody holds is a hole in each.
const transport::Plan* PlanBook::of_parts(const Draft& draft, int variable) {
  const bool is_held = draft.declaration.model_side(variable).is_held;
  const bool is_time = variable == draft.declaration.own_coordinate();
  std::unique_ptr<transport::Plan>& plan =
      plans_[fmt::format("parts of {}, {} {}", draft.identity.number, is_held, is_time)];
  if (plan) return plan.get();
  const roles::Roles& roles = given_.roles;
  std::vector<geometry::Piece> own;
  for (const files::FilePart& part : draft.set) {
    const int contributor = is_time ? part.writer : roles.contributor(part.node);
    if (is_held && contributor == roles.rank) own.push_back({part.number, 0, {}});
  }
  plan = std::make_unique<transport::Plan>(transport::make_plan(roles, nodes_of_parts(draft), own));
  for (transport::OwnedDomain& owned : plan->owned)
    if (!is_held) owned.holes = {Box{}};
  return plan.get();
}

}  // namespace thalweg::planning
