#include "fields/chosen_collection.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "fields/field_names.hpp"
#include "fields/grid_of_choice.hpp"
#include "fields/variable_definitions.hpp"
#include "transport/collective.hpp"

namespace thalweg::fields {
namespace {

// Another one has its name where fields have one of another size.
std::string bounds_dimension(const Dimensions& dimensions) {
  const auto found = dimensions.find("bnds");
  return found == dimensions.end() || found->second == 2 ? "bnds" : "time_edges";
}

constexpr int being_defined = -1;

int revisions_of(const Chosen& chosen, const std::vector<Field>& fields) {
  int all = fields[static_cast<std::size_t>(chosen.field)].revision;
  for (const Gathered& of : chosen.gathered) all += fields[static_cast<std::size_t>(of.field)].revision;
  return all;
}

bool leaves_its_grid(session::Session& session, const session::Collection& collection, const Field& field) {
  const config::GridSettings& grid = collection.declaration.settings().fields.region.grid;
  return !dimensions_left(grid, divided_by(session, field)).empty();
}

// Means have dimensions of the model, and no variables.
void require_free_names(session::Session& session, const session::Collection& collection, const Remapping& on,
                        const Choice& choice, const DefinedFields& fields) {
  if (on.left != on.from) return;
  for (const Chosen& chosen : choice.chosen) {
    const Field& field = fields.at(chosen.field);
    if (std::ranges::find(on.grid.variables, chosen.variable, &GridVariable::name) != on.grid.variables.end())
      fail(THALWEG_ERROR_CONFIG,
           "collection '{}': grid: '{}' is what the other grid has of its cells, and the variable of field '{}' is "
           "called so, too; give it another 'name', or have it, and what lies along it, in another collection",
           collection.name, chosen.variable, field.name);
    for (const std::string& dimension : split_names(field.dims))
      if (is_among_names(on.grid.dims, dimension) &&
          !(leaves_its_grid(session, collection, field) && is_among_names(divided_by(session, field), dimension)))
        fail(THALWEG_ERROR_CONFIG,
             "collection '{}': grid: '{}' is a dimension of the other grid, and field '{}' has one of the model that "
             "is called so, too; have it in another collection, or give that of weights another name by 'dims'",
             collection.name, dimension, field.name);
  }
}

// Of fields on several decompositions there may be several.
void define_grids(session::Session& session, session::Collection& collection, OtherGrid& grid, const Choice& choice,
                  const DefinedFields& fields) {
  std::vector<std::pair<const Remapping*, const Field*>> known;
  for (const Chosen& chosen : choice.chosen) {
    const Field& field = fields.at(chosen.field);
    const Remapping* on = grid.of(field);
    if (on == nullptr || std::ranges::find(known, on, [](const auto& of) { return of.first; }) != known.end()) continue;
    const auto is_like = [&](const auto& of) { return of.first->grid.dims == on->grid.dims; };
    const auto earlier = std::ranges::find_if(known, is_like);
    if (earlier == known.end()) {
      require_free_names(session, collection, *on, choice, fields);
      fields::define(session, collection, on->grid);
      fields::put(session, collection, on->grid);
    } else if (!are_same(earlier->first->grid, on->grid)) {
      fail(THALWEG_ERROR_CONFIG,
           "collection '{}': grid: the cells of '{}' that are taken lie elsewhere than those of '{}', and a file has "
           "one place for each along ({}); have them in collections of their own",
           collection.name, field.name, earlier->second->name, fmt::join(on->grid.dims, ","));
    }
    known.emplace_back(on, &field);
  }
}

}  // namespace

ChosenCollection::ChosenCollection(session::Session& session, session::Collection& collection, const Choice& choice,
                                   const DefinedFields& fields, OtherGrid* grid)
    : session_(session), collection_(collection) {
  definitions_.give("", catalog::text_attribute("Conventions", "CF-1.11"));
  if (interval() != nullptr) times_.emplace(session_, collection_, choice, bounds_dimension(fields.dimensions()));
  if (grid != nullptr) define_grids(session_, collection_, *grid, choice, fields);
  grow(choice, fields, grid);
  if (const std::string measures = external_measures(collection, choice, fields, grid); !measures.empty())
    definitions_.give("", catalog::text_attribute("external_variables", measures));
}

// What cannot be defined stays noted as not defined, so that the sketch does not grow any more.
void ChosenCollection::grow(const Choice& choice, const DefinedFields& fields, OtherGrid* grid) {
  for (std::size_t r = regions_.size(); r < choice.regions.size(); ++r) regions_.push_back(choice.regions[r]);
  for (const Chosen& chosen : choice.chosen) {
    if (had_.contains(chosen.variable)) continue;
    Had& had = had_[chosen.variable] = {chosen, being_defined};
    const Remapping* on = grid == nullptr ? nullptr : grid->of(fields.at(chosen.field));
    definitions_.define(chosen, {regions_[chosen.region], day_parts_of(chosen), on}, fields);
    if (!collection_.declaration.variables().is_disabled(chosen.variable))
      outputs_.emplace_back(session_, collection_, fields.all(), chosen, regions_[chosen.region].region,
                            on_grid(chosen, fields, on));
    had.revisions = revisions_of(chosen, fields.all());
  }
}

bool ChosenCollection::may_grow_to(const Choice& choice, const DefinedFields& fields) const {
  std::size_t kept = 0;
  for (const Chosen& chosen : choice.chosen) {
    const auto had = had_.find(chosen.variable);
    if (had != had_.end()) {
      if (had->second.chosen != chosen || had->second.revisions != revisions_of(chosen, fields.all())) return false;
      ++kept;
    } else if (day_parts_of(chosen) == nullptr && chosen.day_parts != 0) {
      return false;
    }
  }
  const bool has_same_bounds = !times_ || times_->bounds_dimension() == bounds_dimension(fields.dimensions());
  return kept == had_.size() && has_same_bounds && regions_.size() <= choice.regions.size() &&
         std::equal(regions_.begin(), regions_.end(), choice.regions.begin());
}

// In a sketch it is not known what the grid is, but that there is one.
std::optional<OutputVariable::OnGrid> ChosenCollection::on_grid(const Chosen& chosen, const DefinedFields& fields,
                                                                const Remapping* grid) const {
  const Field& field = fields.at(chosen.field);
  if (grid == nullptr && !(collection_.is_sketch() && leaves_its_grid(session_, collection_, field)))
    return std::nullopt;
  HeldField held = held_alone(session_, field, fields.dimensions());
  RemappedOutput remapped(grid, field, held, sizes_of(session_, field, fields.dimensions()), chosen.day_parts);
  return OutputVariable::OnGrid{std::move(held), std::move(remapped)};
}

// By the item of the list, of which the name of the variable does not follow alone. What comes with the others has
// names by its region.
void ChosenCollection::take_over(ChosenCollection& earlier) {
  for (Output& output : outputs_) {
    const auto is_same = [&](const Output& of) {
      return of.chosen().entry == output.chosen().entry &&
             (of.chosen().entry != no_entry || of.collection().name == collection_.name) &&
             of.chosen().field == output.chosen().field &&
             earlier.regions_[of.chosen().region].parts == regions_[output.chosen().region].parts;
    };
    const auto before = std::ranges::find_if(earlier.outputs_, is_same);
    if (before != earlier.outputs_.end()) output.take_over(*before);
  }
}

bool ChosenCollection::begins_next_file() const {
  const bool begins = interval() == nullptr || (is_at_edge_ && !interval()->is_over());
  return begins && upcoming().due && upcoming().opens_file && collection_.closed_records() > 0;
}

const files::RecordInterval* ChosenCollection::interval() const {
  const auto& interval = collection_.schedule.interval();
  return interval ? &*interval : nullptr;
}

void ChosenCollection::require_step(double end_s) const {
  if (interval() == nullptr || !interval()->is_skipped_by(end_s)) return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': a step from {} s to {} s has a whole interval within it, from {} s on; 'every' must not be "
       "shorter than a step",
       collection_.name, session_.now_s(), end_s, interval()->end_s());
}

void ChosenCollection::end_step(const Clients& clients) {
  for (Output& output : outputs_) output.end_step();
  if (interval() == nullptr && upcoming().due) put_remapped(clients);
}

// Whatever one of the clients has put, all of them make.
void ChosenCollection::put_remapped(const Clients& clients) {
  std::vector<OutputVariable*> variables;
  std::vector<std::int64_t> have_any;
  for (Output& output : outputs_)
    if (const RemappedOutput* remapped = output.variable().remapped();
        remapped != nullptr && !collection_.is_sketch()) {
      variables.push_back(&output.variable());
      have_any.push_back(remapped->is_any() ? 1 : 0);
    }
  if (variables.empty()) return;
  const Timer timer(session_.core().measured.counters.remap_s);
  transport::maximum(clients(), have_any);
  const config::FieldSettings& settings = collection_.declaration.settings().fields;
  const remap::MissingRule missing{settings.missing == config::MissingSamples::propagate, settings.least_valid};
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (have_any[v] == 0) continue;
    const Chosen& chosen = variables[v]->chosen();
    const Element fill = collection_.declaration.fill_of(variables[v]->number());
    variables[v]->remapped()->put(session_, collection_, {chosen.variable, chosen.type, fill, missing});
  }
}

void ChosenCollection::advance(double time_s, const Clients& clients) {
  is_at_edge_ = interval() != nullptr && interval()->ends_by(time_s);
  if (is_at_edge_) close(interval()->end_s(), clients);
}

void ChosenCollection::finish(double time_s, const Clients& clients) {
  end_step(clients);  // parts of what is put once
  finish_interval(time_s, clients);
  say_faults();
}

void ChosenCollection::finish_interval(double time_s, const Clients& clients) {
  if (interval() == nullptr || interval()->is_over()) return;
  if (time_s <= interval()->begin_s() + files::tolerance_of(session_.settings().time_step_s)) return;
  if (collection_.declaration.settings().fields.partial == config::PartialInterval::keep) return close(time_s, clients);
  if (session_.roles().speaks_for_clients())
    log::warning("collection '{}': the interval from {} s on is cut by the end of the run at {} s, and dropped",
                 collection_.name, interval()->begin_s(), time_s);
}

// One client that has put something has begun the record, and others have it with their cells missing.
void ChosenCollection::close(double end_s, const Clients& clients) {
  std::vector<std::int64_t> has_any{0};
  for (Output& output : outputs_)
    if (output.is_gathered() && output.gathered()->end_interval()) has_any[0] = 1;
  if (collection_.declaration.settings().when_not_put == config::WhenNotPut::skip) {
    transport::maximum(clients(), has_any);
    if (has_any[0] == 0) return leave_out(end_s);
  }
  put_remapped(clients);
  times_->put(interval()->begin_s(), end_s);
  session_.record(collection_, end_s);
}

void ChosenCollection::leave_out(double end_s) {
  if (session_.roles().speaks_for_clients())
    log::note("collection '{}': nothing was put from {} s to {} s, so that there is no record of this interval",
              collection_.name, interval()->begin_s(), end_s);
  session_.record(collection_, end_s, files::Closing::interval);
}

}  // namespace thalweg::fields
