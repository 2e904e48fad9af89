#include "fields/record_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/time_attributes.hpp"

namespace thalweg::fields {

RecordTimes::RecordTimes(session::Session& session, session::Collection& collection, const Choice& choice,
                         const std::string& bounds_dimension)
    : session_(session),
      collection_(collection),
      time_(collection.declaration.settings().record_dimension),
      bounds_dimension_(bounds_dimension) {
  define_time();
  for (const Chosen& chosen : choice.chosen) {
    if (chosen.day_parts == 0 || day_parts_of(chosen) != nullptr) continue;
    day_parts_.emplace_back(chosen.day_parts, session.settings().reference_date);
    define_parts(day_parts_.back());
    put_places(day_parts_.back());
  }
}

const DayParts* RecordTimes::day_parts_of(const Chosen& chosen) const {
  const auto found = std::ranges::find(day_parts_, chosen.day_parts, &DayParts::count);
  return found == day_parts_.end() ? nullptr : &*found;
}

void RecordTimes::define(const std::string& variable, const std::string& dims) {
  session_.definitions().define_variable(collection_, variable, dims, Type::float64, -1, "");
}

void RecordTimes::text(const std::string& variable, const std::string& name, const std::string& value) {
  session_.definitions().define_attribute(collection_, variable, catalog::text_attribute(name, value));
}

// A statistic is of a time that has bounds, and the time is their middle. (source: CF conventions, section 7.1)
void RecordTimes::define_time() {
  session_.definitions().define_dimension(collection_, bounds_dimension_, 2);
  define(time_, time_);
  define_units(time_);
  text(time_, "bounds", time_ + "_bnds");
  define(time_ + "_bnds", time_ + "," + bounds_dimension_);
}

void RecordTimes::define_units(const std::string& variable, std::initializer_list<std::string_view> but_for) {
  const config::Settings& settings = session_.settings();
  for (const catalog::Attribute& said : catalog::time_attributes(settings.calendar, settings.reference_date))
    if (std::ranges::find(but_for, said.name) == but_for.end()) text(variable, said.name, said.text);
  for (const catalog::Attribute& said : catalog::leap_second_attributes(settings.calendar))
    text(variable, said.name, said.text);
}

// The time of a part in a record has no bounds: it is of the same hours of several days. (source: CF conventions,
// section 7.4)
void RecordTimes::define_parts(const DayParts& parts) {
  const std::string place = parts.dimension(), time = parts.climatology();
  session_.definitions().define_dimension(collection_, place, parts.count());
  define(place, place);
  text(place, "long_name", "time of day");
  text(place, "units", "hours");
  text(place, "bounds", place + "_bnds");
  define(place + "_bnds", place + "," + bounds_dimension_);
  define(time, time_ + "," + place);
  define_units(time, {"axis"});  // that of the records is one already
  text(time, "climatology", time + "_bnds");
  define(time + "_bnds", fmt::format("{},{},{}", time_, place, bounds_dimension_));
  define_units(time + "_bnds", {"axis"});  // which readers take over for `bounds` alone
}

void RecordTimes::put_places(const DayParts& parts) {
  constexpr double hour_s = 3600.0;
  std::vector<double> middles, edges;
  for (int part = 0; part < parts.count(); ++part) {
    const double begin = part * parts.length_s() / hour_s, end = (part + 1) * parts.length_s() / hour_s;
    middles.push_back(begin + (end - begin) / 2);
    edges.insert(edges.end(), {begin, end});
  }
  put_numbers(parts.dimension(), middles, {parts.count()});
  put_numbers(parts.dimension() + "_bnds", edges, {parts.count(), 2});
}

void RecordTimes::put(double begin_s, double end_s) {
  put_numbers(time_, {begin_s + (end_s - begin_s) / 2}, {});
  put_numbers(time_ + "_bnds", {begin_s, end_s}, {2});
  for (const DayParts& parts : day_parts_) put_climatology(parts, begin_s, end_s);
}

// A part has the time at which it is on its first day.
void RecordTimes::put_climatology(const DayParts& parts, double begin_s, double end_s) {
  std::vector<double> times, bounds;
  for (int part = 0; part < parts.count(); ++part) {
    const DayParts::Span span = parts.within(part, begin_s, end_s);
    times.push_back(span.begin_s + parts.length_s() / 2);
    bounds.insert(bounds.end(), {span.begin_s, span.end_s});
  }
  put_numbers(parts.climatology(), times, {parts.count()});
  put_numbers(parts.climatology() + "_bnds", bounds, {parts.count(), 2});
}

void RecordTimes::put_numbers(const std::string& variable, const std::vector<double>& numbers, const Index& extent) {
  const Index stride = contiguous_strides(extent, static_cast<std::int64_t>(sizeof(double)));
  session_.put(collection_, variable, 0,
               {reinterpret_cast<const std::byte*>(numbers.data()), Type::float64, extent, stride});
}

}  // namespace thalweg::fields
