#include "fields/chosen_collection.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "fields/field_names.hpp"
#include "fields/grid_of_choice.hpp"
#include "fields/numbers.hpp"
#include "fields/result_attributes.hpp"
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

// Measures of cells that the file's variables name and other files have. (source: CF conventions, section 2.6.3)
std::string external_measures(const session::Collection& collection, const Choice& choice, const DefinedFields& fields,
                              OtherGrid* grid) {
  std::vector<std::string> missing;
  for (const Chosen& chosen : choice.chosen) {
    const Field& field = fields.at(chosen.field);
    const catalog::Attribute* measures = catalog::find(field.attributes, "cell_measures");
    if (measures == nullptr || (grid != nullptr && grid->of(field) != nullptr)) continue;
    const std::map<std::string, std::string>& names = choice.regions[chosen.region].names;
    std::istringstream said(measures->text);
    for (std::string word; said >> word;) {
      if (word.ends_with(':')) continue;
      const auto other = names.find(word);
      const std::string name = other == names.end() ? word : other->second;
      const bool is_there = std::ranges::find(choice.chosen, name, &Chosen::variable) != choice.chosen.end() &&
                            !collection.declaration.variables().is_disabled(name);
      if (!is_there && std::ranges::find(missing, name) == missing.end()) missing.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(missing, " "));
}

}  // namespace

ChosenCollection::ChosenCollection(session::Session& session, session::Collection& collection, const Choice& choice,
                                   const DefinedFields& fields, OtherGrid* grid)
    : session_(session), collection_(collection) {
  text("", "Conventions", "CF-1.11");
  if (interval() != nullptr) times_.emplace(session_, collection_, choice, bounds_dimension(fields.dimensions()));
  if (grid != nullptr) define_grids(session_, collection_, *grid, choice, fields);
  grow(choice, fields, grid);
  if (const std::string measures = external_measures(collection, choice, fields, grid); !measures.empty())
    text("", "external_variables", measures);
}

// What cannot be defined stays noted as not defined, so that the sketch does not grow any more.
void ChosenCollection::grow(const Choice& choice, const DefinedFields& fields, OtherGrid* grid) {
  for (std::size_t r = regions_.size(); r < choice.regions.size(); ++r) regions_.push_back(choice.regions[r]);
  for (const Chosen& chosen : choice.chosen) {
    if (had_.contains(chosen.variable)) continue;
    Had& had = had_[chosen.variable] = {chosen, being_defined};
    const Remapping* on = grid == nullptr ? nullptr : grid->of(fields.at(chosen.field));
    define(chosen, fields, on);
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
std::optional<Output::OnGrid> ChosenCollection::on_grid(const Chosen& chosen, const DefinedFields& fields,
                                                        const Remapping* grid) const {
  const Field& field = fields.at(chosen.field);
  if (grid == nullptr && !(collection_.is_sketch() && leaves_its_grid(session_, collection_, field)))
    return std::nullopt;
  HeldField held = held_alone(session_, field, fields.dimensions());
  RemappedOutput remapped(grid, field, held, sizes_of(session_, field, fields.dimensions()), chosen.day_parts);
  return Output::OnGrid{std::move(held), std::move(remapped)};
}

// By the item of the list, of which the name of the variable does not follow alone. What comes with the others has
// names by its region.
void ChosenCollection::take_over(ChosenCollection& sketch) {
  for (Output& output : outputs_) {
    const auto is_same = [&](const Output& of) {
      return of.chosen().entry == output.chosen().entry &&
             (of.chosen().entry != no_entry || of.collection().name == collection_.name) &&
             of.chosen().field == output.chosen().field &&
             sketch.regions_[of.chosen().region].parts == regions_[output.chosen().region].parts;
    };
    const auto earlier = std::ranges::find_if(sketch.outputs_, is_same);
    if (earlier != sketch.outputs_.end()) output.take_over(*earlier);
  }
}

const files::RecordInterval* ChosenCollection::interval() const {
  const auto& interval = collection_.schedule.interval();
  return interval ? &*interval : nullptr;
}

void ChosenCollection::text(const std::string& variable, const std::string& name, const std::string& value) {
  give(variable, catalog::text_attribute(name, value));
}

void ChosenCollection::give(const std::string& variable, const catalog::Attribute& attribute) {
  session_.definitions().define_attribute(collection_, variable, attribute);
}

void ChosenCollection::define(const Chosen& chosen, const DefinedFields& fields, const Remapping* grid) {
  const Field& field = fields.at(chosen.field);
  const Region& region = regions_[chosen.region].region;
  define_dimensions(session_, collection_, field, fields.dimensions(), region);
  DefinedDimensions of = dimensions_in(session_, field, region, "", collection_.is_sketch());
  if (grid != nullptr) of = {fmt::format("{}", fmt::join(dims_on(*grid, field), ",")), "", grid->decomposition};
  std::vector<std::string> dims;
  std::string memory_dims = of.memory_dims;
  if (chosen.operation != config::Operation::once) dims.push_back(collection_.declaration.settings().record_dimension);
  if (const DayParts* parts = day_parts_of(chosen)) {
    dims.push_back(parts->dimension());
    if (!memory_dims.empty()) memory_dims = parts->dimension() + "," + memory_dims;
  }
  if (!of.dims.empty()) dims.push_back(of.dims);
  session_.definitions().define_variable(collection_, chosen.variable, fmt::format("{}", fmt::join(dims, ",")),
                                         chosen.type, of.decomposition, memory_dims);
  define_attributes(chosen, fields, grid);
}

void ChosenCollection::define_attributes(const Chosen& chosen, const DefinedFields& fields, const Remapping* grid) {
  Field field = fields.at(chosen.field);
  if (grid != nullptr) field.attributes = attributes_on(grid->grid, field, grid->left, fields.all());
  const ChosenRegion& region = regions_[chosen.region];
  const bool is_turned = region.region.turned(field, fields.all()) != nullptr;
  for (const catalog::Attribute& attribute : attributes_of(chosen, field, region.names, is_turned)) {
    const bool is_number = attribute.type && is_number_of_values(attribute.name);
    give(chosen.variable, is_number ? as_values_of(chosen, attribute) : attribute);
  }
  const std::string& time = collection_.declaration.settings().record_dimension;
  std::string methods = cell_methods_of(chosen, field, time, session_.settings().time_step_s);
  if (grid != nullptr && !grid->grid.cell_methods.empty())
    methods += (methods.empty() ? "" : " ") + grid->grid.cell_methods;
  if (!methods.empty()) text(chosen.variable, "cell_methods", methods);
  if (chosen.operation != config::Operation::once || grid != nullptr) define_fill(chosen, field, grid != nullptr);
}

// Errors: CONFIG for a value that the variable cannot have.
catalog::Attribute ChosenCollection::as_values_of(const Chosen& chosen, const catalog::Attribute& attribute) const {
  if (auto made = converted(attribute, chosen.type)) return *std::move(made);
  fail(
      THALWEG_ERROR_CONFIG,
      "collection '{}', variable '{}': its attribute {} has a number that {} has not; leave 'type' out, or set another "
      "one",
      collection_.name, chosen.variable, attribute.name, name_of(chosen.type));
}

// Cells without a value are missing, which readers are told by this attribute alone. Instants have such cells where the
// field says so, or on another grid.
void ChosenCollection::define_fill(const Chosen& chosen, const Field& field, bool is_on_grid) {
  const catalog::Attribute* missing = is_count(chosen) ? nullptr : catalog::find(field.attributes, "missing_value");
  if (!is_count(chosen) && catalog::find(field.attributes, "_FillValue") != nullptr) return;
  if (missing == nullptr && !config::is_statistic(chosen.operation) && !field.formula && !is_on_grid) return;
  const Element usual = default_fill(chosen.type);
  std::span<const std::byte> fill = std::span(usual).first(size_of(chosen.type));
  catalog::Attribute of_field;
  if (missing != nullptr && missing->type) {
    of_field = as_values_of(chosen, *missing);
    fill = std::span(of_field.values).first(size_of(chosen.type));  // of several the first
  }
  give(chosen.variable, catalog::attribute_of("_FillValue", chosen.type, fill));
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
  std::vector<Output*> outputs;
  std::vector<std::int64_t> have_any;
  for (Output& output : outputs_)
    if (output.remapped() != nullptr && !collection_.is_sketch()) {
      outputs.push_back(&output);
      have_any.push_back(output.remapped()->is_any() ? 1 : 0);
    }
  if (outputs.empty()) return;
  const Timer timer(session_.core().measured.counters.remap_s);
  transport::maximum(clients(), have_any);
  const config::FieldSettings& settings = collection_.declaration.settings().fields;
  const remap::MissingRule missing{settings.missing == config::MissingSamples::propagate, settings.least_valid};
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (have_any[o] == 0) continue;
    const Chosen& chosen = outputs[o]->chosen();
    const int number = collection_.declaration.variables().find(chosen.variable);
    outputs[o]->remapped()->put(session_, collection_,
                                {chosen.variable, chosen.type, collection_.declaration.fill_of(number), missing});
  }
}

void ChosenCollection::advance(double time_s, const Clients& clients) {
  if (interval() != nullptr && interval()->ends_by(time_s)) close(interval()->end_s(), clients);
}

void ChosenCollection::finish(double time_s, const Clients& clients) {
  end_step(clients);  // parts of what is put once
  finish_interval(time_s, clients);
  for (const Output& output : outputs_) output.say_faults();
}

void ChosenCollection::finish_interval(double time_s, const Clients& clients) {
  if (interval() == nullptr || interval()->is_over()) return;
  if (time_s <= interval()->begin_s() + files::tolerance_of(session_.settings().time_step_s)) return;
  if (collection_.declaration.settings().fields.partial == config::PartialInterval::keep) return close(time_s, clients);
  if (session_.roles().rank == session_.roles().first_client)
    log::warning("collection '{}': the interval from {} s on is cut by the end of the run at {} s, and dropped",
                 collection_.name, interval()->begin_s(), time_s);
}

// One client that has put something has begun the record, and others have it with their cells missing.
void ChosenCollection::close(double end_s, const Clients& clients) {
  std::vector<std::int64_t> has_any{0};
  for (Output& output : outputs_)
    if (output.is_gathered() && output.end_interval()) has_any[0] = 1;
  if (collection_.declaration.settings().when_not_put == config::WhenNotPut::skip) {
    transport::maximum(clients(), has_any);
    if (has_any[0] == 0) return leave_out(end_s);
  }
  put_remapped(clients);
  times_->put(interval()->begin_s(), end_s);
  session_.record(collection_, end_s);
}

void ChosenCollection::leave_out(double end_s) {
  if (session_.roles().rank == session_.roles().first_client)
    log::note("collection '{}': nothing was put from {} s to {} s, so that there is no record of this interval",
              collection_.name, interval()->begin_s(), end_s);
  session_.record(collection_, end_s, files::Closing::interval);
}

}  // namespace thalweg::fields
