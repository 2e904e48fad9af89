#include "client/preparation.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "client/pattern.hpp"
#include "transport/agreement.hpp"

namespace thalweg::client {
namespace {

std::string settings_text(const config::Settings& settings) {
  std::string text;
  for (const config::Effective& effective : settings.effective)
    text += fmt::format("{} = {}\n", effective.key, effective.value);
  return text;
}

void require_procedure(const Collection& collection) {
  if (store::traits_of(collection.declaration.definition().format).makes_files || collection.procedure) return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': its format is 'user', but no procedure was set that writes it; call thalweg_set_procedure "
       "(C++ set_procedure, Fortran thw_set_procedure) on every rank before definitions end, or, with servers, "
       "thalweg_register_procedure before thalweg_start; or set another format",
       collection.name);
}

}  // namespace

void Preparation::run() {
  agree();
  for (Draft& draft : drafts_) {
    choose_plans(draft);
    probe_files(draft);
    plan_blocks(draft);
    lay_out(draft);
    count_messages(draft);
  }
  share_budget();
  make_area();
}

// All ranks declared the same, and what the configuration says fits it.
void Preparation::agree() {
  const roles::Roles& roles = *core_.roles;
  transport::check_same(roles.world, "settings", settings_text(core_.settings));
  std::string names;
  for (const Collection& collection : core_.declared.collections)
    names += fmt::format("collection '{}'\n", collection.name);
  transport::check_same(roles.world, "collections opened", names);
  for (Collection& collection : core_.declared.collections)
    if (!collection.is_ready) start_draft(collection);
}

void Preparation::start_draft(Collection& collection) {
  const roles::Roles& roles = *core_.roles;
  transport::check_same(roles.world, fmt::format("definitions of collection '{}'", collection.name),
                        collection.declaration.description());
  transport::together(roles.world, [&] {
    collection.declaration.finish(core_.settings.calendar, core_.settings.reference_date);
    require_procedure(collection);
  });
  Draft draft;
  draft.collection = &collection;
  draft.chunked = store::traits_of(collection.declaration.definition().format).chunked;
  draft.by_library = collection.by_library();
  transport::together(roles.world, [&] { choose_writers(draft); });
  const auto writing_nodes = static_cast<int>(roles.writing_nodes(roles.group_of(collection.number)).size());
  draft.pattern =
      choose_pattern(collection.declaration.settings(), writing_nodes, static_cast<int>(writer_count(draft)),
                     bytes_of_record(collection.declaration.definition()));
  let_any_write(draft);
  count_load(draft);
  drafts_.push_back(std::move(draft));
}

// ---- layouts and plans

void Preparation::choose_plans(Draft& draft) {
  Collection& collection = *draft.collection;
  const catalog::Definition& definition = collection.declaration.definition();
  // Says what does not fit before anything collective depends on it, or has a length that follows from the sizes. Files
  // of a set are smaller than the whole, and looked at when they are made.
  transport::together(core_.roles->world, [&] {
    store::check_sizes(definition);
    if (!makes_set(draft.pattern)) store::check_extents(definition);
  });
  gather_boundaries(draft);
  if (makes_set(draft.pattern)) cut_set(draft);
  const auto variables = static_cast<int>(definition.variables.size());
  transport::together(core_.roles->world, [&] {
    for (int v = 0; v < variables; ++v)
      if (draft.chunked)
        choose_chunk(draft, v);
      else if (const int decomposition = collection.declaration.model_side(v).decomposition; decomposition >= 0)
        choose_domains(draft, decomposition);
  });
  for (int v = 0; v < variables; ++v) draft.plans.push_back(plan_of(draft, v));
  divide_blocks(draft);
  if (draft.chunked && core_.roles->rank == 0) explain_chunks(draft);
}

// Chunks cut one file by themselves.
void Preparation::gather_boundaries(const Draft& draft) {
  if (draft.chunked && !makes_set(draft.pattern)) return;
  for (const int number : decompositions_of(*draft.collection)) {
    const exchange::Decomposition& of = core_.declared.decompositions[static_cast<std::size_t>(number)];
    if (boundaries_.count(number) == 0 && !of.list)
      boundaries_.emplace(number, transport::all_boundaries(*core_.roles, of));
  }
}

const transport::Plan* Preparation::plan_of(const Draft& draft, int variable) {
  const Collection& collection = *draft.collection;
  const catalog::ModelSide& side = collection.declaration.model_side(variable);
  if (makes_set(draft.pattern))
    return side.decomposition < 0 ? plan_of_parts(draft, variable) : draft.set_plans.at(side.decomposition);
  if (side.decomposition >= 0)
    return plan_for(side.decomposition, choose_layout(draft, variable), writing_of(collection));
  if (variable == collection.declaration.own_coordinate()) return coordinate_plan(collection);
  return side.is_held ? replicated_plan(collection.home) : unfed_plan(collection.home);
}

Index Preparation::choose_domains(const Draft& draft, int decomposition) const {
  const config::CollectionSettings& settings = draft.collection->declaration.settings();
  const Index& shape = core_.declared.decompositions[static_cast<std::size_t>(decomposition)].shape;
  Index domains = Index::filled(shape.rank(), 1);
  if (settings.layout.empty()) {
    if (draft.pattern == config::Pattern::single) return domains;
    domains[0] = std::min(writer_count(draft), shape[0]);
    if (!makes_set(draft.pattern)) return domains;
    // The domains of all decompositions belong together, so none has more than the smallest.
    for (const int other : decompositions_of(*draft.collection))
      domains[0] = std::min(domains[0], core_.declared.decompositions[static_cast<std::size_t>(other)].shape[0]);
    return domains;
  }
  if (static_cast<int>(settings.layout.size()) != shape.rank())
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}': layout [{}] has {} numbers, but a decomposition has {} dimensions; give one number a "
         "dimension, slowest first",
         settings.place, settings.name, fmt::join(settings.layout, ", "), settings.layout.size(), shape.rank());
  for (int d = 0; d < shape.rank(); ++d) {
    domains[d] = settings.layout[static_cast<std::size_t>(d)];
    if (domains[d] > shape[d])
      fail(THALWEG_ERROR_CONFIG, "{}: collection '{}': layout [{}] cuts a dimension of {} cells into {} domains",
           settings.place, settings.name, fmt::join(settings.layout, ", "), shape[d], domains[d]);
  }
  if (settings.pattern == config::Pattern::single && domains.product() > 1)
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}': pattern 'single' has one writer, but layout [{}] makes {} domains; use pattern "
         "'shared'",
         settings.place, settings.name, fmt::join(settings.layout, ", "), domains.product());
  return domains;
}

exchange::Layout Preparation::choose_layout(const Draft& draft, int variable) const {
  const catalog::ModelSide& side = draft.collection->declaration.model_side(variable);
  const exchange::Decomposition& of_model = core_.declared.decompositions[static_cast<std::size_t>(side.decomposition)];
  const Index& shape = of_model.shape;
  const Index domains = choose_domains(draft, side.decomposition);
  if (!draft.chunked && of_model.list) return exchange::Layout::even(shape, domains);
  if (!draft.chunked) return exchange::Layout::at_boundaries(shape, domains, boundaries_.at(side.decomposition));
  Index chunk = Index::filled(shape.rank(), 1);
  const catalog::Variable& of = draft.collection->variable(variable);
  for (std::size_t d = 0; d < side.decomposed.size(); ++d)
    if (side.decomposed[d] >= 0 && of.is_chunked) chunk[side.decomposed[d]] = of.chunk[static_cast<int>(d)];
  return exchange::Layout::chunked(shape, domains, chunk);
}

transport::Writing Preparation::writing_of(const Collection& collection) const {
  return {collection.home, core_.roles->group_of(collection.number)};
}

const transport::Plan* Preparation::plan_for(int decomposition, const exchange::Layout& layout,
                                             const transport::Writing& writing) {
  std::string key = fmt::format("{}@{}/{}:", decomposition, writing.group, writing.home);
  for (int d = 0; d < layout.domain_count(); ++d) key += to_string(layout.domain(d));
  std::unique_ptr<transport::Plan>& plan = plans_[key];
  if (!plan) {
    const exchange::Decomposition& of = core_.declared.decompositions[static_cast<std::size_t>(decomposition)];
    plan = std::make_unique<transport::Plan>(of.list ? transport::make_index_plan(*core_.roles, of, layout, writing)
                                                     : transport::make_plan(*core_.roles, of, layout, writing));
    ++core_.measured.counters.plans;
  }
  return plan.get();
}

// Every rank has the same values; one of them contributes them.
const transport::Plan* Preparation::replicated_plan(int home) {
  std::unique_ptr<transport::Plan>& plan = plans_[fmt::format("replicated@{}", home)];
  if (plan) return plan.get();
  std::vector<exchange::Piece> own;
  if (core_.roles->rank == core_.roles->contributor(home)) own.push_back({});
  plan = std::make_unique<transport::Plan>(transport::make_plan(*core_.roles, {home}, own));
  return plan.get();
}

// Who writes the files contributes the time of their records: it knows when they are closed.
const transport::Plan* Preparation::coordinate_plan(const Collection& collection) {
  const int writer = collection.home_writer;
  std::unique_ptr<transport::Plan>& plan = plans_[fmt::format("coordinate@{}", writer)];
  if (plan) return plan.get();
  plan = std::make_unique<transport::Plan>();
  plan->node_of_domain = {collection.home};
  if (core_.roles->node == collection.home) plan->owned.push_back({0, 1, {}, nullptr});
  if (core_.roles->rank == writer) plan->local.push_back({});
  return plan.get();
}

// Nobody has values: it is one hole, which the writer of the home node fills.
const transport::Plan* Preparation::unfed_plan(int home) {
  std::unique_ptr<transport::Plan>& plan = plans_[fmt::format("unfed@{}", home)];
  if (plan) return plan.get();
  plan = std::make_unique<transport::Plan>();
  plan->node_of_domain = {home};
  if (core_.roles->node == home) plan->owned.push_back({0, 0, {Box{}}, nullptr});
  return plan.get();
}

Box Preparation::variable_box(const Collection& collection, int variable, const Box& box) const {
  const Index shape = collection.declaration.definition().shape(collection.variable(variable));
  Box result = whole(shape);
  const auto& decomposed = collection.declaration.model_side(variable).decomposed;
  for (int d = 0; d < shape.rank(); ++d) {
    const int from = decomposed.empty() ? -1 : decomposed[static_cast<std::size_t>(d)];
    if (from < 0) continue;
    result.start[d] = box.start[from];
    result.count[d] = box.count[from];
  }
  return result;
}

}  // namespace thalweg::client
