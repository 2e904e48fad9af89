#include "fields/chosen_collection.hpp"

#include <algorithm>
#include <array>

#include "base/names.hpp"
#include "base/seconds.hpp"
#include "fields/numbers.hpp"
#include "fields/operation.hpp"

namespace thalweg::fields {
namespace {

constexpr const char* bounds_dimension = "bnds";

bool is_number_of_values(const std::string& attribute) {
  return attribute == "_FillValue" || attribute == "missing_value" || attribute == "valid_min" ||
         attribute == "valid_max" || attribute == "valid_range";
}

// What the field says holds for the result too, unless its values are others.
bool holds_for(const std::string& attribute, const Chosen& chosen) {
  using config::Operation;
  if (attribute == "cell_methods") return false;
  if (chosen.operation == Operation::count)
    return attribute != "units" && attribute != "standard_name" && !is_number_of_values(attribute);
  const bool keeps_range = !config::is_statistic(chosen.operation) || chosen.operation == Operation::mean ||
                           chosen.operation == Operation::min || chosen.operation == Operation::max;
  return keeps_range || !attribute.starts_with("valid_");
}

}  // namespace

ChosenCollection::ChosenCollection(session::Session& session, const std::string& name, const Choice& choice,
                                   const std::vector<Field>& fields, const Dimensions& dimensions)
    : session_(session),
      collection_(session.definitions().open_collection(name)),
      time_(collection_.declaration.settings().record_dimension) {
  text("", "Conventions", "CF-1.11");
  if (interval() != nullptr) define_time();
  for (const Chosen& chosen : choice.chosen) define(chosen, fields[static_cast<std::size_t>(chosen.field)], dimensions);
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
void ChosenCollection::define_time() {
  const config::Settings& settings = session_.settings();
  session::Definitions& definitions = session_.definitions();
  definitions.define_dimension(collection_, bounds_dimension, 2);
  definitions.define_variable(collection_, time_, time_, Type::float64, -1, "");
  text(time_, "standard_name", "time");
  text(time_, "axis", "T");
  text(time_, "units", seconds_since(settings.reference_date));
  text(time_, "calendar", std::string(thalweg::name_of(settings.calendar)));
  if (settings.calendar == Calendar::standard || settings.calendar == Calendar::proleptic_gregorian)
    text(time_, "units_metadata", "leap_seconds: none");
  text(time_, "bounds", time_ + "_bnds");
  definitions.define_variable(collection_, time_ + "_bnds", time_ + "," + bounds_dimension, Type::float64, -1, "");
}

void ChosenCollection::define(const Chosen& chosen, const Field& field, const Dimensions& dimensions) {
  define_dimensions(field, dimensions);
  const bool has_record = chosen.operation != config::Operation::once;
  const std::string dims = !has_record ? field.dims : field.dims.empty() ? time_ : time_ + "," + field.dims;
  session_.definitions().define_variable(collection_, chosen.variable, dims, chosen.type, field.decomposition,
                                         field.memory_dims);
  define_attributes(chosen, field);
  if (!collection_.declaration.variables().is_disabled(chosen.variable))
    outputs_.emplace_back(session_, collection_, field, chosen);
}

void ChosenCollection::define_dimensions(const Field& field, const Dimensions& dimensions) {
  std::vector<std::string> decomposed;
  if (field.decomposition >= 0)
    decomposed = session_.core().declared.decompositions[static_cast<std::size_t>(field.decomposition)].dimensions;
  const auto& known = collection_.declaration.definition().dimensions;
  for (const std::string& name : split_names(field.dims)) {
    if (std::ranges::find(decomposed, name) != decomposed.end()) continue;
    if (std::ranges::find(known, name, &catalog::Dimension::name) != known.end()) continue;
    const auto found = dimensions.find(name);
    if (found != dimensions.end()) session_.definitions().define_dimension(collection_, name, found->second);
  }
}

void ChosenCollection::define_attributes(const Chosen& chosen, const Field& field) {
  for (const catalog::Attribute& attribute : field.attributes) {
    if (!holds_for(attribute.name, chosen)) continue;
    const bool is_number = attribute.type && is_number_of_values(attribute.name);
    give(chosen.variable, is_number ? converted(attribute, chosen.type) : attribute);
  }
  if (chosen.operation == config::Operation::once) return;
  define_methods(chosen, field);
  if (chosen.operation == config::Operation::count)
    text(chosen.variable, "units", "1");
  else
    define_fill(chosen, field);
}

void ChosenCollection::define_methods(const Chosen& chosen, const Field& field) {
  std::string methods;
  if (const catalog::Attribute* given = catalog::find(field.attributes, "cell_methods")) methods = given->text + " ";
  const double step_s = session_.settings().time_step_s;
  if (const std::string_view method = cell_method_of(chosen.operation); !method.empty()) {
    methods += fmt::format("{}: {}", time_, method);
    if (config::is_statistic(chosen.operation) && step_s > 0.0)
      methods += fmt::format(" (interval: {})", interval_text(step_s));
  }
  if (!methods.empty()) text(chosen.variable, "cell_methods", methods);
}

// Cells without a value are missing, which readers are told by this attribute alone. Instants have such cells where the
// field says so.
void ChosenCollection::define_fill(const Chosen& chosen, const Field& field) {
  if (catalog::find(field.attributes, "_FillValue") != nullptr) return;
  const catalog::Attribute* missing = catalog::find(field.attributes, "missing_value");
  if (missing == nullptr && !config::is_statistic(chosen.operation)) return;
  const Element fill = default_fill(chosen.type);
  catalog::Attribute told =
      missing != nullptr && missing->type
          ? converted(*missing, chosen.type)
          : catalog::attribute_of("_FillValue", chosen.type, std::span(fill).first(size_of(chosen.type)));
  told.name = "_FillValue";
  give(chosen.variable, told);
}

void ChosenCollection::require_step(double end_s) const {
  if (interval() == nullptr || !interval()->is_skipped_by(end_s)) return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': a step that ends at {} s is behind more than one end of its intervals, the first at {} s; "
       "'every' must not be shorter than a step",
       collection_.name, end_s, interval()->end_s());
}

void ChosenCollection::advance(double time_s) {
  if (interval() != nullptr && interval()->ends_by(time_s)) close(std::min(interval()->end_s(), time_s));
}

void ChosenCollection::finish(double time_s) {
  if (interval() == nullptr || collection_.declaration.settings().fields.partial == config::PartialInterval::drop)
    return;
  if (time_s > interval()->begin_s() + files::tolerance_of(session_.settings().time_step_s)) close(time_s);
}

void ChosenCollection::close(double end_s) {
  for (Output& output : outputs_)
    if (output.is_gathered()) output.end_interval();
  put_times(interval()->begin_s(), end_s);
  session_.record(collection_, end_s);
}

void ChosenCollection::put_times(double begin_s, double end_s) {
  const double middle_s = begin_s + (end_s - begin_s) / 2;
  const std::array<double, 2> bounds = {begin_s, end_s};
  const auto bytes_of = [](const double* value) { return reinterpret_cast<const std::byte*>(value); };
  session_.put(collection_, time_, 0, {bytes_of(&middle_s), Type::float64, {}, {}});
  session_.put(collection_, time_ + "_bnds", 0, {bytes_of(bounds.data()), Type::float64, {2}, {sizeof(double)}});
}

}  // namespace thalweg::fields
