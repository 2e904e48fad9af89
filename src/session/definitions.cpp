#include "session/definitions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/told.hpp"
#include "config/notes.hpp"
#include "config/program_collection.hpp"
#include "session/registered_procedures.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"
#include "transport/index_plan.hpp"
#include "transport/plan_exchange.hpp"

namespace thalweg::session {
namespace {

void offer(const geometry::Decomposition& decomposition, Collection& collection) {
  if (decomposition.has_own_names) return;
  for (std::size_t d = 0; d < decomposition.dimensions.size(); ++d)
    collection.declaration.offer_dimension(decomposition.dimensions[d], decomposition.sizes()[static_cast<int>(d)]);
}

catalog::Declaration& declaration_of(Collection& collection) {
  if (collection.has_failed)
    fail(THALWEG_ERROR_STATE, "collection '{}': its definitions ended with an error, so nothing is added to them",
         collection.name);
  if (collection.is_ready())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': definitions ended with thalweg_ready, or with the first advance; define everything before",
         collection.name);
  return collection.declaration;
}

}  // namespace

int Definitions::decompose(geometry::Decomposition decomposition) {
  core_.commands.tell(commands::Decompose{decomposition.dimensions, decomposition.shape, decomposition.halo_low,
                                          decomposition.halo_high, decomposition.masked, decomposition.has_own_names});
  const std::string description = fmt::format(
      "({}) of {}, halo {} {}, masked {}\n", fmt::join(decomposition.dimensions, ","), to_string(decomposition.shape),
      to_string(decomposition.halo_low), to_string(decomposition.halo_high), decomposition.masked);
  core_.meet_for_definitions();
  transport::together(core_.roles->world, [&] { geometry::check_own_boxes(decomposition, core_.roles->rank); });
  transport::check_same(core_.roles->world, fmt::format("decompositions ({})", told::names(decomposition.dimensions)),
                        description);
  // Overlaps and holes are found now, where the model can be pointed at, on an even cut with one domain a node that
  // writes.
  Index domains = Index::filled(decomposition.shape.rank(), 1);
  domains[0] = std::min<std::int64_t>(std::ssize(core_.roles->groups.writing_nodes(0)), decomposition.shape[0]);
  const transport::Writing writing{core_.roles->groups.owner_node(0), 0};
  transport::Plan plan =
      transport::make_plan(*core_.roles, decomposition, geometry::Layout::even(decomposition.shape, domains), writing);
  const int number = add(std::move(decomposition));
  plans_.keep(number, writing, std::move(plan));
  return number;
}

// A list that is long is coded here and then let go: what stays is in proportion to its runs.
int Definitions::decompose_points(const std::vector<std::string>& dims, const Index& sizes,
                                  std::span<const std::int64_t> index, bool masked) {
  core_.commands.tell(commands::DecomposePoints{dims, sizes, masked});
  geometry::Decomposition decomposition{dims, {sizes.product()}, {}, {0}, {0}, masked, nullptr, nullptr, sizes};
  core_.meet_for_definitions();
  const std::string names = fmt::format("{}", fmt::join(dims, ","));
  transport::check_same(core_.roles->world, fmt::format("index lists of dimension '{}'", told::names(dims)),
                        fmt::format("({}) of {} points, masked {}\n", names, fmt::join(sizes, " x "), masked));
  transport::together(core_.roles->world, [&] {
    decomposition.list = std::make_shared<const geometry::IndexList>(
        geometry::index_list(told::names(dims), sizes, index, core_.roles->rank, core_.settings.owner));
  });
  if (!decomposition.list->runs.empty()) decomposition.boxes = {{{0}, {decomposition.list->count}}};
  decomposition.listed = decomposition.list;
  decomposition.list = transport::assign_owners(*core_.roles, decomposition, core_.settings.owner);
  return add(std::move(decomposition));
}

// Its cells are as those of the whole, so that nothing has to be agreed upon.
int Definitions::part_of(int decomposition, const std::vector<geometry::Selection>& selections,
                         const std::vector<std::string>& names) {
  Declared& declared = core_.declared;
  const int of = declared.content_of[static_cast<std::size_t>(decomposition)];
  int content = static_cast<int>(declared.decompositions.size());
  for (const PartOfDecomposition& known : declared.parts) {
    if (known.of != of || known.selections != selections) continue;
    if (declared.decompositions[static_cast<std::size_t>(known.number)].dimensions == names) return known.number;
    content = std::min(content, known.number);
  }
  core_.commands.tell(commands::selected(decomposition, names, selections));
  declared.parts.push_back({static_cast<int>(declared.decompositions.size()), of, selections});
  declared.content_of.push_back(content);
  declared.decompositions.push_back(
      geometry::selected_of(declared.decompositions[static_cast<std::size_t>(decomposition)], selections, names));
  return declared.parts.back().number;
}

int Definitions::sketched_part_of(int decomposition, const std::vector<geometry::Selection>& selections,
                                  const std::vector<std::string>& names) {
  Declared& declared = core_.declared;
  for (const PartOfDecomposition& known : declared.sketched_parts)
    if (known.of == decomposition && known.selections == selections &&
        declared.decomposition(known.number).dimensions == names)
      return known.number;
  const int number = first_sketched_part + static_cast<int>(declared.sketched_parts.size());
  declared.sketched_parts.push_back({number, decomposition, selections});
  declared.sketched_decompositions.push_back(
      geometry::selected_of(declared.decomposition(decomposition), selections, names));
  return number;
}

// All ranks look for one that has the same cells: what is planned for that holds for this one.
int Definitions::add(geometry::Decomposition decomposition) {
  std::vector<geometry::Decomposition>& all = core_.declared.decompositions;
  std::vector<std::int64_t> differs;
  for (const geometry::Decomposition& earlier : all)
    differs.push_back(geometry::same_cells(earlier, decomposition) ? 0 : 1);
  transport::maximum(core_.roles->world, differs);
  const auto same = std::ranges::find(differs, 0) - differs.begin();  // behind all: it is the first
  core_.declared.content_of.push_back(static_cast<int>(same));
  for (Collection& collection : core_.declared.collections) offer(decomposition, collection);
  for (Collection& sketch : core_.declared.sketched) offer(decomposition, sketch);
  all.push_back(std::move(decomposition));
  return static_cast<int>(all.size()) - 1;
}

Collection& Definitions::open_collection(const std::string& name) {
  // Whether the collection can have the defaults is seen when its name is known.
  if (core_.settings.has_defaults_alone()) return open_collection_text(name, "");
  require_not_open(name);
  config::require_for_opening(core_.settings, name);
  Collection& opened = open(core_.settings.collection(name));
  core_.commands.tell(commands::OpenCollection{name});
  return opened;
}

Collection& Definitions::open_collection_text(const std::string& name, const std::string& yaml,
                                              const std::string& like) {
  require_not_open(name);
  config::Settings with_it = core_.settings;
  config::add_collection(with_it, name, yaml, like);
  Collection& opened = open(with_it.collection(name));  // which may refuse them
  core_.settings.take_collections(std::move(with_it));
  if (core_.roles->speaks_for_clients()) config::log_notes(core_.settings);
  core_.choose_mpiio();
  core_.commands.tell(commands::OpenCollectionText{name, yaml, like});
  return opened;
}

// What an earlier run has left is no matter of a file that begins behind others of this one.
Collection& Definitions::succeed(const Collection& earlier, const std::string& name) {
  config::CollectionSettings settings = core_.settings.collection(name);
  if (settings.append == config::Append::go_on) settings.append = config::Append::new_file;
  Collection& opened = open(settings);
  for (Collection* share : opened.shares) {
    share->schedule.succeed(earlier.schedule);
    share->is_successor = true;
    if (share->callback && earlier.callback)
      share->callback->earlier_records = earlier.callback->earlier_records + earlier.schedule.closed_records();
  }
  core_.commands.tell(commands::Succeed{earlier.number, name});
  return opened;
}

void Definitions::tell(const Collection& of, const commands::Command& command) {
  if (!of.is_sketch()) core_.commands.tell(command);
}

void Definitions::require_not_open(const std::string& name) const {
  for (const Collection& collection : core_.declared.collections)
    if (collection.name == name)
      fail(THALWEG_ERROR_NAME, "collection '{}' is open already; open each once and keep the handle", name);
}

// Its declarations are seen to like those of one that is opened.
Collection& Definitions::sketch(const std::string& name) {
  require_not_open(name);
  config::require_for_opening(core_.settings, name);
  return sketch(core_.settings.collection(name));
}

Collection& Definitions::sketch(const config::CollectionSettings& settings) {
  Collection& made = core_.declared.sketched.emplace_back(-1, settings, core_.settings);
  for (const geometry::Decomposition& known : core_.declared.decompositions) offer(known, made);
  made.shares = {&made};
  clock_.start(made);
  return made;
}

void Definitions::drop(Collection& sketch) {
  Declared& declared = core_.declared;
  declared.sketched.remove_if([&](const Collection& of) { return &of == &sketch; });
  if (!declared.sketched.empty()) return;
  declared.sketched_parts.clear();
  declared.sketched_decompositions.clear();
}

void Definitions::go_to(Collection& collection, const Collection& sketch) {
  if (!clock_.has_advanced()) return;
  const files::RecordClock::Elapsed elapsed = sketch.schedule.clock().elapsed();
  tell(collection, commands::GoTo{collection.number, elapsed.start_s, elapsed.now_s, elapsed.said_s, elapsed.steps});
  go_to(collection, elapsed);
}

void Definitions::go_to(Collection& collection, const files::RecordClock::Elapsed& elapsed) {
  for (Collection* share : collection.shares) clock_.go_to(*share, elapsed);
}

void Definitions::take_over(Collection& collection, const std::string& variable, Collection& sketch,
                            const std::string& sketched) {
  for (put::EarlyPuts::Kept& kept : sketch.early.take(sketched)) {
    kept.variable = variable;
    Collection& share = collection.upcoming_share();
    if (collection.variable(collection.declaration.variables().find(variable)).has_record)
      share.begun_records = share.schedule.upcoming().record + 1;
    collection.early.keep(std::move(kept));
  }
}

// With files in turn, a share for each group, so that their numbers are those of all groups.
Collection& Definitions::open(const config::CollectionSettings& settings) {
  const roles::ServerGroups& servers = core_.roles->groups;
  const int groups = settings.takes_turns_by_file() ? servers.count() : 1;
  const std::list<Collection>& all = core_.declared.collections;
  const auto first = std::ranges::count_if(all, [](const Collection& of) { return !of.shares.empty(); }) % groups;
  Collection& opened =
      add(settings, {groups, (servers.group_of(static_cast<int>(all.size())) - first + groups) % groups});
  opened.shares = {&opened};
  for (int share = 1; share < groups; ++share) {
    const std::int64_t turn = servers.group_of(static_cast<int>(all.size())) - first;
    opened.shares.push_back(&add(settings, {groups, (turn + groups) % groups}));
  }
  for (Collection* share : opened.shares) share->puts.takes_turns = groups > 1;
  if (!opened.declaration.settings().format->traits.makes_files()) opened.callback = registered_procedure(opened.name);
  core_.declared.has_new = true;
  return opened;
}

Collection& Definitions::add(const config::CollectionSettings& settings, files::FileTurns turns) {
  std::list<Collection>& all = core_.declared.collections;
  Collection& added = all.emplace_back(static_cast<int>(all.size()), settings, core_.settings, turns);
  for (const geometry::Decomposition& known : core_.declared.decompositions) offer(known, added);
  clock_.start(added);
  core_.measured.times.receive_s.emplace_back("receive");
  core_.measured.times.forward_s.emplace_back("forward");
  return added;
}

catalog::DecompositionNames Definitions::names_of(int decomposition) const {
  const geometry::Decomposition& of = core_.declared.decomposition(decomposition);
  return {decomposition, &of.dimensions, of.sizes(), of.masked, of.list != nullptr};
}

void Definitions::define_dimension(Collection& collection, const std::string& name, std::int64_t size) {
  for (Collection* share : collection.shares) declaration_of(*share).define_dimension(name, size);
  tell(collection, commands::DefineDimension{collection.number, name, size});
}

void Definitions::define_variable(Collection& collection, const std::string& name, const std::string& dims, Type type,
                                  int decomposition, const std::string& memory_dims) {
  std::optional<catalog::DecompositionNames> names;
  if (decomposition >= 0) names = names_of(decomposition);
  for (Collection* share : collection.shares)
    declaration_of(*share).define_variable(name, dims, type, names ? &*names : nullptr, memory_dims);
  tell(collection, commands::DefineVariable{collection.number, name, dims, type, decomposition, memory_dims});
}

void Definitions::define_attribute(Collection& collection, const std::string& variable,
                                   const catalog::Attribute& attribute) {
  for (Collection* share : collection.shares) declaration_of(*share).define_attribute(variable, attribute);
  tell(collection, commands::DefineAttribute{collection.number, variable, attribute});
}

void Definitions::give_up(Collection& collection) {
  core_.commands.tell(commands::GiveUp{collection.number});
  for (Collection* share : collection.shares) core_.declared.give_up(*share);
}

void Definitions::go_on(Collection& collection, const files::KeptInterval& from) {
  core_.commands.tell(commands::GoOn{collection.number, from.run_start_s, from.begin_s, from.records});
  for (Collection* share : collection.shares) clock_.go_on(*share, from);
}

void Definitions::set_procedure(Collection& collection, const block::Callback& procedure) {
  if (declaration_of(collection).definition().format->traits.makes_files())
    fail(THALWEG_ERROR_FORMAT,
         "collection '{}': a write procedure is for the format 'user'; set format: user, or leave the call out",
         collection.name);
  if (core_.roles->has_servers())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': servers write it, and do not know the procedure of this rank; give it to "
         "thalweg_register_procedure (Fortran thw_register_procedure) on every rank before thalweg_start, or set "
         "writers: thread or sync",
         collection.name);
  collection.callback = procedure;
}

}  // namespace thalweg::session
