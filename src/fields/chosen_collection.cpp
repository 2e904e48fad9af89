#include "fields/chosen_collection.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/log.hpp"
#include "base/names.hpp"
#include "catalog/time_attributes.hpp"
#include "fields/numbers.hpp"
#include "fields/operation.hpp"
#include "transport/collective.hpp"

namespace thalweg::fields {
namespace {

bool is_number_of_values(const std::string& attribute) {
  return is_of_missing(attribute) || attribute == "valid_min" || attribute == "valid_max" || attribute == "valid_range";
}

// By it values are packed or listed, which sums and spreads of them are not.
bool is_of_values(const std::string& attribute) {
  constexpr std::array others = {"actual_range", "scale_factor", "add_offset"};
  return is_number_of_values(attribute) || attribute.starts_with("flag_") ||
         std::ranges::find(others, attribute) != others.end();
}

// What the field says holds for the result too, unless its values are others.
bool holds_for(const std::string& attribute, const Chosen& chosen) {
  using config::Operation;
  if (chosen.operation == Operation::once) return true;
  if (attribute == "cell_methods") return false;
  switch (chosen.operation) {
    case Operation::instant:
    case Operation::min:
    case Operation::max: return true;
    case Operation::mean:
    case Operation::diurnal: return !attribute.starts_with("flag_") && attribute != "actual_range";
    case Operation::count: return !is_of_values(attribute) && attribute != "units" && attribute != "standard_name";
    case Operation::difference:
      return (!is_of_values(attribute) || is_of_missing(attribute)) && attribute != "standard_name" &&
             attribute != "long_name";
    default: return !is_of_values(attribute) || is_of_missing(attribute);
  }
}

// What several operations make has none of theirs.
bool is_count(const Chosen& chosen) {
  return chosen.operation == config::Operation::count && chosen.gathered.empty();
}

// Of a difference `cell_methods` have no word. Empty: that of the field, if it has one.
std::string long_name_of(const Chosen& chosen, const Field& field) {
  if (chosen.operation != config::Operation::difference || !chosen.gathered.empty()) return chosen.expression;
  const catalog::Attribute* given = catalog::find(field.attributes, "long_name");
  return "change of " + (!chosen.expression.empty() ? chosen.expression
                         : given != nullptr         ? given->text
                                                    : field.last_part());
}

// Another one has its name where fields have one of another size.
std::string bounds_dimension(const Dimensions& dimensions) {
  const auto found = dimensions.find("bnds");
  return found == dimensions.end() || found->second == 2 ? "bnds" : "time_edges";
}

}  // namespace

ChosenCollection::ChosenCollection(session::Session& session, const std::string& name, const Choice& choice,
                                   const std::vector<Field>& fields, const Dimensions& dimensions)
    : session_(session),
      collection_(session.definitions().open_collection(name)),
      region_(choice.region),
      time_(collection_.declaration.settings().record_dimension) {
  text("", "Conventions", "CF-1.11");
  if (interval() != nullptr) define_time(bounds_dimension(dimensions));
  for (const Chosen& chosen : choice.chosen) {
    if (chosen.day_parts == 0 || day_parts_of(chosen) != nullptr) continue;
    day_parts_.emplace_back(chosen.day_parts, session.settings().reference_date);
    define_day_parts(day_parts_.back(), bounds_dimension(dimensions));
  }
  for (const Chosen& chosen : choice.chosen) {
    define(chosen, fields[static_cast<std::size_t>(chosen.field)], dimensions);
    if (!collection_.declaration.variables().is_disabled(chosen.variable))
      outputs_.emplace_back(session_, collection_, fields, chosen, region_);
  }
}

const DayParts* ChosenCollection::day_parts_of(const Chosen& chosen) const {
  const auto found = std::ranges::find(day_parts_, chosen.day_parts, &DayParts::count);
  return found == day_parts_.end() ? nullptr : &*found;
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

// A statistic is of a time that has bounds, and the time is their middle. (source: CF conventions, section 7.1)
void ChosenCollection::define_time(const std::string& bounds_dimension) {
  session::Definitions& definitions = session_.definitions();
  definitions.define_dimension(collection_, bounds_dimension, 2);
  definitions.define_variable(collection_, time_, time_, Type::float64, -1, "");
  define_time_units(time_);
  text(time_, "bounds", time_ + "_bnds");
  definitions.define_variable(collection_, time_ + "_bnds", time_ + "," + bounds_dimension, Type::float64, -1, "");
}

void ChosenCollection::define_time_units(const std::string& variable) {
  const config::Settings& settings = session_.settings();
  for (const catalog::Attribute& said : catalog::time_attributes(settings.calendar, settings.reference_date))
    give(variable, said);
  for (const catalog::Attribute& said : catalog::leap_second_attributes(settings.calendar)) give(variable, said);
}

// The time of a part in a record is no bounded one: it is of the same hours of several days. (source: CF conventions,
// section 7.4)
void ChosenCollection::define_day_parts(const DayParts& parts, const std::string& bounds_dimension) {
  session::Definitions& definitions = session_.definitions();
  const std::string place = parts.dimension(), time = parts.climatology();
  definitions.define_dimension(collection_, place, parts.count());
  definitions.define_variable(collection_, place, place, Type::float64, -1, "");
  text(place, "long_name", "time of day");
  text(place, "units", "hours");
  text(place, "bounds", place + "_bnds");
  definitions.define_variable(collection_, place + "_bnds", place + "," + bounds_dimension, Type::float64, -1, "");
  definitions.define_variable(collection_, time, time_ + "," + place, Type::float64, -1, "");
  define_time_units(time);
  text(time, "climatology", time + "_bnds");
  definitions.define_variable(collection_, time + "_bnds", fmt::format("{},{},{}", time_, place, bounds_dimension),
                              Type::float64, -1, "");
  std::vector<double> middles, edges;
  for (int part = 0; part < parts.count(); ++part) {
    constexpr double hour_s = 3600.0;
    const double begin = part * parts.length_s() / hour_s, end = (part + 1) * parts.length_s() / hour_s;
    middles.push_back(begin + (end - begin) / 2);
    edges.insert(edges.end(), {begin, end});
  }
  put_numbers(place, middles, {parts.count()});
  put_numbers(place + "_bnds", edges, {parts.count(), 2});
}

void ChosenCollection::define(const Chosen& chosen, const Field& field, const Dimensions& dimensions) {
  define_dimensions(session_, collection_, field, dimensions, region_);
  const DefinedDimensions of = dimensions_in(session_, field, region_);
  std::vector<std::string> dims;
  std::string memory_dims = of.memory_dims;
  if (chosen.operation != config::Operation::once) dims.push_back(time_);
  if (const DayParts* parts = day_parts_of(chosen)) {
    dims.push_back(parts->dimension());
    if (!memory_dims.empty()) memory_dims = parts->dimension() + "," + memory_dims;
  }
  if (!of.dims.empty()) dims.push_back(of.dims);
  session_.definitions().define_variable(collection_, chosen.variable, fmt::format("{}", fmt::join(dims, ",")),
                                         chosen.type, of.decomposition, memory_dims);
  define_attributes(chosen, field);
}

void ChosenCollection::define_attributes(const Chosen& chosen, const Field& field) {
  for (const catalog::Attribute& attribute : field.attributes) {
    if (!holds_for(attribute.name, chosen)) continue;
    const bool is_number = attribute.type && is_number_of_values(attribute.name);
    give(chosen.variable, is_number ? as_values_of(chosen, attribute) : attribute);
  }
  if (const std::string name = long_name_of(chosen, field); !name.empty()) text(chosen.variable, "long_name", name);
  if (chosen.operation == config::Operation::once) return;
  if (const DayParts* parts = day_parts_of(chosen)) {
    const catalog::Attribute* others = catalog::find(field.attributes, "coordinates");
    text(chosen.variable, "coordinates", (others == nullptr ? "" : others->text + " ") + parts->climatology());
  }
  if (chosen.gathered.empty()) define_methods(chosen, field);
  if (is_count(chosen)) text(chosen.variable, "units", "1");
  define_fill(chosen, field);
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

void ChosenCollection::define_methods(const Chosen& chosen, const Field& field) {
  std::vector<std::string> methods;
  const catalog::Attribute* given = catalog::find(field.attributes, "cell_methods");
  if (given != nullptr && !given->text.empty()) methods.push_back(given->text);
  const double step_s = session_.settings().time_step_s;
  if (const std::string_view method = cell_method_of(chosen.operation); !method.empty()) {
    methods.push_back(fmt::format("{}: {}", time_, method));
    if (chosen.operation == config::Operation::diurnal) methods.back() += " within days";
    const Interval sample = files::in_time(chosen.sample, step_s);
    if (config::is_statistic(chosen.operation) && files::is_set(sample))
      methods.back() += fmt::format(" (interval: {})", interval_text(sample));
    if (chosen.operation == config::Operation::diurnal) methods.push_back(time_ + ": mean over days");
  }
  if (!methods.empty()) text(chosen.variable, "cell_methods", fmt::format("{}", fmt::join(methods, " ")));
}

// Cells without a value are missing, which readers are told by this attribute alone. Instants have such cells where the
// field says so.
void ChosenCollection::define_fill(const Chosen& chosen, const Field& field) {
  const catalog::Attribute* missing = is_count(chosen) ? nullptr : catalog::find(field.attributes, "missing_value");
  if (!is_count(chosen) && catalog::find(field.attributes, "_FillValue") != nullptr) return;
  if (missing == nullptr && !config::is_statistic(chosen.operation) && !field.formula) return;
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

void ChosenCollection::advance(double time_s, const Clients& clients) {
  if (interval() != nullptr && interval()->ends_by(time_s)) close(interval()->end_s(), clients);
}

void ChosenCollection::finish(double time_s, const Clients& clients) {
  end_step();  // parts of what is put once
  finish_interval(time_s, clients);
  for (const Output& output : outputs_) output.say_faults();
}

void ChosenCollection::finish_interval(double time_s, const Clients& clients) {
  if (interval() == nullptr) return;
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
  put_times(interval()->begin_s(), end_s);
  session_.record(collection_, end_s);
}

void ChosenCollection::leave_out(double end_s) {
  if (session_.roles().rank == session_.roles().first_client)
    log::note("collection '{}': nothing was put from {} s to {} s, so that there is no record of this interval",
              collection_.name, interval()->begin_s(), end_s);
  session_.record(collection_, end_s, files::Closing::interval);
}

void ChosenCollection::put_times(double begin_s, double end_s) {
  put_numbers(time_, {begin_s + (end_s - begin_s) / 2}, {});
  put_numbers(time_ + "_bnds", {begin_s, end_s}, {2});
  for (const DayParts& parts : day_parts_) put_climatology(parts, begin_s, end_s);
}

// A part has the time at which it is on the first day.
void ChosenCollection::put_climatology(const DayParts& parts, double begin_s, double end_s) {
  std::vector<double> times, bounds;
  for (int part = 0; part < parts.count(); ++part) {
    const DayParts::Span span = parts.within(part, begin_s, end_s);
    times.push_back(span.begin_s + parts.length_s() / 2);
    bounds.insert(bounds.end(), {span.begin_s, span.end_s});
  }
  put_numbers(parts.climatology(), times, {parts.count()});
  put_numbers(parts.climatology() + "_bnds", bounds, {parts.count(), 2});
}

void ChosenCollection::put_numbers(const std::string& variable, const std::vector<double>& numbers,
                                   const Index& extent) {
  const Index stride = contiguous_strides(extent, static_cast<std::int64_t>(sizeof(double)));
  session_.put(collection_, variable, 0,
               {reinterpret_cast<const std::byte*>(numbers.data()), Type::float64, extent, stride});
}

}  // namespace thalweg::fields
