// Rules of collections that choose fields.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "config/draft.hpp"
#include "config/field_values.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

// What `defaults` say is of the collections that it is for, and others do without.
void refuse_said(Draft& draft, const CollectionSettings& collection, std::initializer_list<const char*> keys,
                 const std::string& why) {
  for (const char* key : keys)
    if (draft.where.contains(key_of(collection, key)) && !is_by_default(draft, collection, key))
      refuse_in(draft, collection, key, why);
}

// A sample stands for its step, of which intervals have parts.
void check_split(Draft& draft, const CollectionSettings& collection) {
  const FieldSettings& fields = collection.fields;
  for (const ChosenField& of : fields.chosen)
    if (fields.sample_of(of) != each_step)
      return refuse_in(draft, collection, "straddle",
                       "with 'sample' a value stands for the time between two samples and not for its step, which has "
                       "no parts; set straddle: end");
}

// At least; steps have no length that nobody has said.
double least_seconds(const Interval& interval, double time_step_s) {
  constexpr double least_month_s = 28 * 86400.0;
  return interval.seconds + static_cast<double>(interval.months) * least_month_s +
         static_cast<double>(interval.steps) * time_step_s;
}

// The run would meet it in its first step.
void check_length(Draft& draft, const CollectionSettings& collection) {
  const double step_s = draft.settings.time_step_s;
  if (collection.every.is_run || !usable(draft, key_of(collection, "every"))) return;
  if (least_seconds(collection.every, step_s) >= step_s * (1.0 - 1e-9)) return;
  refuse_in(draft, collection, "every",
            fmt::format("{} is shorter than the time-step of {}, which would have a whole interval within it; set a "
                        "longer one",
                        format_interval(collection.every), format_interval({.seconds = step_s})));
}

// Each part of the day has samples.
void check_day_parts(Draft& draft, const CollectionSettings& collection) {
  constexpr double day_s = 86400.0;
  const double step_s = draft.settings.time_step_s;
  const bool is_usable = usable(draft, key_of(collection, "every")) && !collection.every.is_run;
  for (const ChosenField& of : collection.fields.chosen) {
    const ChosenOperation operation = of.own_operation().value_or(collection.fields.operation);
    if (operation.kind != Operation::diurnal) continue;
    const std::string key = of.operation ? "fields" : "operation";
    const std::string said = operations().format(operation);
    const double part_s = day_s / operation.day_parts;
    if (is_usable && least_seconds(collection.every, step_s) < day_s)
      return refuse_in(draft, collection, "every",
                       fmt::format("{} is shorter than a day, of which '{}' has all parts; set every: 1 d or longer",
                                   format_interval(collection.every), said));
    if (part_s < step_s * (1.0 - 1e-9))
      return refuse_in(draft, collection, key,
                       fmt::format("'{}' has parts of {}, which are shorter than the time-step of {}, so that some "
                                   "would have no step; set fewer",
                                   said, format_interval({.seconds = part_s}), format_interval({.seconds = step_s})));
  }
}

// Some collection has the state at the start put.
void note_first_difference(Draft& draft, const CollectionSettings& collection) {
  const auto has_initial = [](const auto& each) { return each.second.initial_record; };
  if (std::ranges::any_of(draft.settings.collections, has_initial)) return;
  draft.settings.notes.push_back(
      fmt::format("{}: difference: in the first interval of a run it is missing, unless the run goes on from a "
                  "checkpoint; with initial-record: true it is counted from what the program puts before an advance to "
                  "the start of the run",
                  where_of(draft, collection, "fields").label));
}

void check_intervals(Draft& draft, const CollectionSettings& collection) {
  check_length(draft, collection);
  const bool has_difference = collection.fields.gather(Operation::difference);
  if (collection.initial_record && !has_difference)
    refuse_in(draft, collection, "initial-record",
              "nothing was gathered at the start of the run; leave it out, or set operation: instant");
  if (has_difference) note_first_difference(draft, collection);
  check_day_parts(draft, collection);
  if (collection.append == Append::go_on && collection.new_file.steps != 0)
    refuse_in(draft, collection, "new-file",
              "with 'append: continue' files end at dates, and steps are counted anew in each run; say how long they "
              "are, as in new-file: 1 d");
  if (collection.fields.straddle == Straddle::split) check_split(draft, collection);
  const auto is_instant = [](const ChosenField& of) { return of.own_operation() == Operation::instant; };
  if (std::ranges::any_of(collection.fields.chosen, is_instant))
    refuse_in(draft, collection, "fields",
              "some are instants and some are gathered over intervals, whose times are not the same; put the "
              "instants into a collection of their own");
}

bool is_whole(double count) {
  return std::abs(count - std::round(count)) <= 1e-9 * count;
}

// Fixed lengths; months have none.
bool divides(const Interval& part, const Interval& whole, double time_step_s) {
  if (part.months != 0 && whole.months != 0) return whole.months % part.months == 0;
  if (part.months != 0 || (whole.months != 0 && part.steps != 0)) return false;
  const double of_s = whole.months != 0 ? 86400.0 : least_seconds(whole, time_step_s);
  const double part_s = least_seconds(part, time_step_s);
  return part_s <= 0.0 || of_s <= 0.0 || is_whole(of_s / part_s);
}

// key: that has said it, of the collection or of one of its fields.
void check_samples(Draft& draft, const CollectionSettings& collection, const std::string& key, const Interval& sample,
                   const Interval& offset) {
  const double step_s = draft.settings.time_step_s, sample_s = least_seconds(sample, step_s);
  const auto refuse = [&](const std::string& why) { refuse_in(draft, collection, key, why); };
  const std::string said = "sample: " + format_interval(sample);
  if ((sample.steps != 0 || offset.steps != 0) && step_s <= 0.0)
    return refuse(
        "sample or its offset is in steps, whose length nobody has said; set 'time-step: 10 min' (or what it is) at "
        "the top of the configuration, or a time");
  if (sample_s < step_s)
    return refuse(fmt::format("{} is shorter than the time-step of {}, in which a field has one value; leave it out",
                              said, format_interval({.seconds = step_s})));
  if (least_seconds(offset, step_s) >= sample_s)
    return refuse(fmt::format("sample-offset: {} is no part of {}; it is shorter", format_interval(offset), said));
  const Interval& every = collection.every;
  if (!usable(draft, key_of(collection, "every")) || every.is_run || every == Interval{}) return;
  if (least_seconds(every, step_s) < sample_s)
    return refuse(fmt::format("{} is longer than every: {}, which would have intervals without a sample", said,
                              format_interval(every)));
  if (divides(sample, every, step_s)) return;
  draft.settings.notes.push_back(
      fmt::format("{}: {} does not divide every: {}: intervals have different numbers of samples",
                  where_of(draft, collection, key).label, said, format_interval(every)));
}

void check_samples(Draft& draft, const CollectionSettings& collection) {
  const FieldSettings& fields = collection.fields;
  const bool is_said = fields.sample != each_step || fields.sample_offset != Interval{};
  if (is_said && collection.has_statistics())
    check_samples(draft, collection, fields.sample != each_step ? "sample" : "sample-offset", fields.sample,
                  fields.sample_offset);
  for (const ChosenField& of : fields.chosen) {
    if (!of.sample && !of.sample_offset) continue;
    if (!is_statistic(of.own_operation().value_or(fields.operation).kind))
      refuse_in(draft, collection, "fields",
                "'sample' says of which steps an operation over an interval takes what is put, and one that has it is "
                "none; leave it out there");
    else
      check_samples(draft, collection, "fields", fields.sample_of(of), fields.offset_of(of));
  }
}

void check_window(Draft& draft, const CollectionSettings& collection) {
  const FieldSettings& fields = collection.fields;
  if ((fields.from || fields.until) && fields.straddle == Straddle::split)
    return refuse_in(draft, collection, "straddle",
                     "with 'from' or 'until' a step is of the time in which it ends, and not cut; set straddle: end");
  const config::Settings& settings = draft.settings;
  for (const auto& [key, date] : {std::pair{"from", fields.from}, std::pair{"until", fields.until}})
    if (date && !exists(settings.calendar, *date))
      return refuse_in(
          draft, collection, key,
          fmt::format("{} does not exist in the calendar {}", to_string(*date), name_of(settings.calendar)));
  if (!fields.from || !fields.until) return;
  if (seconds_between(settings.calendar, *fields.from, *fields.until) > 0.0) return;
  refuse_in(draft, collection, "until",
            fmt::format("{} is not behind from: {}, so that no step would lie between them", to_string(*fields.until),
                        to_string(*fields.from)));
}

// What is gathered is known by its begin, which a checkpoint keeps; of instants nothing is kept.
void note_anchor_of_each_run(Draft& draft, const CollectionSettings& collection) {
  const bool has_time = collection.every.steps == 0 || collection.new_file != Interval{};
  if (collection.append != Append::go_on || collection.fields.anchor != Anchor::start || collection.has_statistics() ||
      !has_time)
    return;
  draft.settings.notes.push_back(
      fmt::format("{}: anchor: start counts instants from the start of each run, so that one that goes on has them at "
                  "other times; anchor: reference counts all from one date",
                  where_of(draft, collection, "append").label));
}

// Others have a record at each of their times.
void check_skipping(Draft& draft, const CollectionSettings& collection) {
  if (collection.when_not_put != WhenNotPut::skip || collection.has_statistics()) return;
  refuse_said(draft, collection, {"when-not-put"},
              "records of fields over intervals are left out where nothing was put, and this collection has none of "
              "these; set when-not-put: fill, or error");
}

// Which variables there are is known of fields alone.
void check_variable_part(Draft& draft, const CollectionSettings& collection) {
  if (!collection.has_files_of_variables() || !collection.fields.chosen.empty()) return;
  refuse_in(draft, collection, "file",
            fmt::format("'{}' has the name of a variable, %v: collections with 'fields' have a file for each, and this "
                        "one has none; leave %v out",
                        collection.file));
}

// The other grid has no part that is a region of the model's.
void check_grid(Draft& draft, const CollectionSettings& collection) {
  const FieldSettings& fields = collection.fields;
  if (fields.region.grid.is_none()) return;
  const auto has_region = [&](const ChosenField& of) { return !fields.region_of(of).empty(); };
  if (std::ranges::any_of(fields.chosen, has_region))
    refuse_in(draft, collection, "grid",
              "its fields lie on another grid, and a region is of the model's; set region: none, or let another "
              "collection have it");
}

}  // namespace

void check_fields(Draft& draft, const CollectionSettings& collection) {
  if (draft.faulty.contains(key_of(collection, "fields"))) return;
  check_skipping(draft, collection);
  check_variable_part(draft, collection);
  if (collection.fields.chosen.empty())
    return refuse_said(draft, collection,
                       {"operation", "missing", "valid", "partial", "straddle", "repeat", "sample", "sample-offset",
                        "file-date", "anchor", "optional", "region", "vertical", "grid", "from", "until"},
                       "it is of the fields that a collection chooses, and this one has no 'fields'");
  if (collection.is_on_demand())
    refuse_in(draft, collection, "every",
              "records of fields are closed by Thalweg, and 'on-demand' says nothing of when; records at moments of "
              "the program's are in a "
              "collection that it opens itself; here set every: 6 h, or "
              "another one");
  check_samples(draft, collection);
  check_grid(draft, collection);
  note_anchor_of_each_run(draft, collection);
  check_window(draft, collection);
  if (collection.has_statistics()) return check_intervals(draft, collection);
  const std::string why = "it is of operations over intervals, and there are instants alone";
  if (collection.fields.region.grid.is_none()) refuse_said(draft, collection, {"missing", "valid"}, why);
  refuse_said(draft, collection, {"partial", "straddle", "sample", "sample-offset", "file-date"}, why);
}

}  // namespace thalweg::config
