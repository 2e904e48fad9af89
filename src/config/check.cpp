// Rules that concern several keys at once.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "config/draft.hpp"
#include "config/faults_of_defaults.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

// The calendar's arithmetic gives back the same date only if the date exists.
bool exists(Calendar calendar, const Date& date) {
  const bool has_year_zero = calendar != Calendar::standard && calendar != Calendar::julian;
  if (date.year == 0 && !has_year_zero) return false;
  const Date midnight{.year = date.year, .month = date.month, .day = date.day};
  return date_after(calendar, midnight, 0.0) == midnight;
}

void check_reference_date(Draft& draft) {
  const Settings& settings = draft.settings;
  if (!usable(draft, "calendar") || !usable(draft, "reference-date")) return;
  if (exists(settings.calendar, settings.reference_date)) return;
  draft.faults.add(draft.where.at("reference-date"),
                   fmt::format("reference-date: {} does not exist in the calendar {}",
                               to_string(settings.reference_date), name_of(settings.calendar)));
}

// The date at which the index-th file of a series begins.
Date begin_of_file(const Settings& settings, const Interval& interval, std::int64_t index) {
  if (interval.months != 0) return add_months(settings.calendar, settings.reference_date, index * interval.months);
  const double step_s = static_cast<double>(interval.steps) * settings.time_step_s;
  return date_after(settings.calendar, settings.reference_date,
                    static_cast<double>(index) * (interval.seconds + step_s));
}

// The first name that two successive files of the series share; empty if there is none. Steps of unknown length, and
// dates that there are not, cannot be judged.
std::string repeated_name(const Draft& draft, const CollectionSettings& collection, const Interval& interval) {
  const Settings& settings = draft.settings;
  if (!usable(draft, "calendar") || !usable(draft, "reference-date")) return "";
  if (!exists(settings.calendar, settings.reference_date)) return "";
  if (interval.steps != 0 && settings.time_step_s == 0) return "";
  constexpr std::int64_t files_tried = 50;
  std::string last;
  for (std::int64_t i = 0; i < files_tried; ++i) {
    const Date begin = begin_of_file(settings, interval, i);
    const std::string name = fill_template(collection.file, settings.calendar, begin);
    if (name == last) return name;
    last = name;
  }
  return "";
}

void check_series(Draft& draft, const CollectionSettings& collection) {
  if (collection.new_file == Interval{} || !usable(draft, key_of(collection, "file"))) return;
  if (!usable(draft, key_of(collection, "new-file"))) return;
  const Where where = where_of(draft, collection, "new-file");
  if (!is_template(collection.file)) {
    draft.faults.add(where, fmt::format("new-file: the files would overwrite each other: '{}' has no part of the date "
                                        "such as %Y%m%d",
                                        collection.file));
    return;
  }
  if (const std::string name = repeated_name(draft, collection, collection.new_file); !name.empty())
    draft.faults.add(where, fmt::format("new-file: the files would overwrite each other: with '{}' two successive "
                                        "ones are called '{}'",
                                        collection.file, name));
}

// Names are needed when a record begins, and nobody knows then at which time the program will close it.
void check_on_demand(Draft& draft, const CollectionSettings& collection) {
  if (!usable(draft, key_of(collection, "every"))) return;
  const auto refuse = [&](const char* key, const std::string& why) {
    refuse_in(draft, collection, key, "with 'every: on-demand' " + why);
  };
  const std::string names =
      "the time of a record is not known before it ends, and cannot be in names of files; the "
      "program names them (thalweg_new_file)";
  if (collection.new_file != Interval{})
    refuse("new-file", names);
  else if (is_template(collection.file))
    refuse("file", names);
  if (collection.initial_record) refuse("initial-record", "the program closes the record of the start like any other");
}

// A record is closed by the first step that comes to its time, which need not meet it; one of fields by the last step
// before it.
void note_uneven_records(Draft& draft, const CollectionSettings& collection) {
  const double step_s = draft.settings.time_step_s, every_s = collection.every.seconds;
  if (step_s <= 0.0 || every_s <= 0.0 || collection.has_statistics()) return;
  if (!usable(draft, key_of(collection, "every"))) return;
  if (std::abs(every_s - std::round(every_s / step_s) * step_s) <= 1e-9 * every_s) return;
  const Where where = where_of(draft, collection, "every");
  const bool is_of_fields = !collection.fields.chosen.empty();
  const auto steps = [&](double records) {
    const double count = records * every_s / step_s;
    return is_of_fields ? std::floor(count + 1e-9) : std::ceil(count - 1e-9);
  };
  draft.settings.notes.push_back(fmt::format(
      "{}: every: {} is no whole number of time-steps of {}: records come after the steps {:.0f}, {:.0f}, {:.0f}, …",
      where.label, format_interval(collection.every), format_interval({.seconds = step_s}), steps(1), steps(2),
      steps(3)));
}

// One writer cannot be several.
void check_division(Draft& draft, const CollectionSettings& collection) {
  if (collection.servers == 1 || collection.pattern != Pattern::single) return;
  if (!usable(draft, key_of(collection, "servers")) || !usable(draft, key_of(collection, "pattern"))) return;
  draft.faults.add(where_of(draft, collection, "servers"),
                   "servers: pattern 'single' has one writer; set pattern: shared, or leave servers out");
}

// The first key below "writers.<place>." that is set; null: none is.
const std::string* key_for_place(const Draft& draft, const std::string& place) {
  const std::string prefix = "writers." + place + ".";
  const auto found = draft.where.lower_bound(prefix);
  return found != draft.where.end() && found->first.starts_with(prefix) ? &found->first : nullptr;
}

// The numbers of servers say by themselves where they are.
void decide_place(Draft& draft) {
  const std::string* ranks = key_for_place(draft, "ranks");
  const std::string* nodes = key_for_place(draft, "nodes");
  if (ranks != nullptr && nodes != nullptr) {
    draft.faults.add(draft.where.at(*nodes),
                     "writers: servers are either 'ranks' on the model's nodes or 'nodes' of their own; leave one out");
    return;
  }
  const std::string* numbers = ranks != nullptr ? ranks : nodes;
  if (numbers == nullptr) return;
  const Writers place = ranks != nullptr ? Writers::ranks : Writers::nodes;
  const auto word = draft.where.find("writers.place");
  if (word == draft.where.end()) {
    draft.settings.writers = place;
    draft.where["writers.place"] = draft.where.at(*numbers);
  } else if (draft.settings.writers != place) {
    draft.faults.add(word->second, fmt::format("place: there are numbers of '{}' as well; leave one of the two out",
                                               ranks != nullptr ? "ranks" : "nodes"));
  }
}

// Sizes of groups, where they are listed, are those of all servers.
void check_groups(Draft& draft, const std::string& key, const Groups& groups, std::int64_t count, bool count_is_known) {
  if (groups.empty() || !count_is_known || !usable(draft, key)) return;
  std::int64_t sum = 0;
  for (const std::int64_t size : groups) sum += size;
  if (groups.size() == 1 && groups[0] > count)
    draft.faults.add(draft.where.at(key), fmt::format("groups: {} groups need at least {} servers, count is {}",
                                                      groups[0], groups[0], count));
  if (groups.size() > 1 && sum != count)
    draft.faults.add(draft.where.at(key),
                     fmt::format("groups: [{}] are {} together, count is {}", fmt::join(groups, ", "), sum, count));
}

void check_servers(Draft& draft) {
  const Settings& settings = draft.settings;
  decide_place(draft);
  if (settings.writers == Writers::ranks)
    check_groups(draft, "writers.ranks.groups", settings.server_ranks.groups, settings.server_ranks.count,
                 settings.server_ranks.count > 0);
  // Without a number, servers may be those whose programs only serve, which the launch alone knows.
  if (settings.writers == Writers::nodes)
    check_groups(draft, "writers.nodes.groups", settings.server_nodes.groups, settings.server_nodes.count,
                 draft.where.contains("writers.nodes.count") || draft.where.contains("writers.nodes"));
  if (settings.writers_per_node > 1 && has_servers(settings.writers))
    draft.faults.add(draft.where.at("writers.per-node"),
                     "per-node: it is for ranks of the model that write, and here servers do; leave it out, or say "
                     "'ranks' for more of them");
  if (settings.clients > 0 && !has_servers(settings.writers))
    draft.faults.add(draft.where.at("writers.clients"),
                     "clients: without servers every rank is a client; leave it out, or set ranks or nodes");
}

void check_engine(Draft& draft, const CollectionSettings& collection) {
  if (!has_servers(draft.settings.writers)) return;
  if (const std::string problem = problem_with_servers(collection); !problem.empty())
    draft.faults.add(where_of(draft, collection, "engine"), problem);
}

// Whoever writes before `advance` returns has no blocks left for later.
void check_sync(Draft& draft) {
  const Settings& settings = draft.settings;
  if (settings.writers != Writers::sync || !usable(draft, "writers.place")) return;
  const auto refuse = [&](const std::string& key, const std::string& what, const std::string& instead) {
    if (!usable(draft, key)) return;
    draft.faults.add(draft.where.at(key),
                     fmt::format("{}: {}, but with 'writers: sync' the ranks write them before `advance` returns; set "
                                 "writers: thread, or {}: {}",
                                 key, what, key, instead));
  };
  if (settings.drain == Drain::on_flush) refuse("drain", "'on-flush' keeps blocks in memory", "eager");
  if (settings.when_full == WhenFull::spill) refuse("when-full", "'spill' moves blocks out of the memory", "wait");
}

// Where files have no record dimension, each record is one.
void check_one_record(Draft& draft, CollectionSettings& collection) {
  collection.one_record = collection.record_dimension_is_said && collection.record_dimension == no_record_dimension;
  if (!collection.one_record) return;
  collection.record_dimension = CollectionSettings().record_dimension;
  collection.record_dimension_is_said = false;
  const auto refuse = [&](const std::string& key, const std::string& why) {
    refuse_in(draft, collection, key, "with 'record-dimension: none' " + why);
  };
  if (collection.new_file != Interval{}) refuse("new-file", "every record is a file of its own; leave it out");
  if (collection.append == Append::go_on)
    refuse("append", "no file goes on, because every record is one of its own; set append: new, or fail");
  if (collection.engine == Engine::library)
    refuse("engine", "files are made by Thalweg's own writer; set engine: direct");
  if (collection.is_on_demand() || collection.every.is_run || collection.cycle > 0) return;
  if (!usable(draft, key_of(collection, "every"))) return;
  const std::string advice =
      "give its name parts of the date such as %Y%m%d%H, or set every: on-demand, and the program names each file "
      "(thalweg_new_file)";
  if (!is_template(collection.file))
    refuse("file",
           fmt::format("every record is a file of its own, and all would be called '{}'; {}", collection.file, advice));
  else if (const std::string name = repeated_name(draft, collection, collection.every); !name.empty())
    refuse("file", fmt::format("every record is a file of its own, and two successive ones would be called '{}'; {}",
                               name, advice));
}

// Files that are written in turn have the same names again and again, and one record each.
void check_cycle(Draft& draft, const CollectionSettings& collection) {
  const bool has_number = has_number_part(collection.file);
  const auto refuse = [&](const char* key, const std::string& why) { refuse_in(draft, collection, key, why); };
  if (collection.cycle == 0) {
    if (has_number && usable(draft, key_of(collection, "cycle")))
      refuse("file", fmt::format("'{}' has the number %n, and no files are written in turn; set cycle: 2, or another "
                                 "number of them",
                                 collection.file));
    return;
  }
  if (!has_number)
    refuse("file", fmt::format("with 'cycle: {}' every file would be called '{}'; give it the number %n, as in "
                               "restart.%n.nc",
                               collection.cycle, collection.file));
  else if (is_template(collection.file))
    refuse("file", fmt::format("with 'cycle' the names are the same again and again, and '{}' has parts of the date; "
                               "leave one of the two out",
                               collection.file));
  if (collection.new_file != Interval{})
    refuse("new-file", "with 'cycle' each record is a file of its own; leave it out");
  if (collection.append != Append::new_file)
    refuse("append", "with 'cycle' each record replaces the file whose turn it is; leave it out");
  if (is_set(collection))
    refuse("pattern",
           "with 'cycle' a file is replaced as a whole, and the parts of a set are replaced one by one, so that a kill "
           "could leave parts of two restarts; set pattern: shared, or single");
  if (collection.engine == Engine::library)
    refuse("engine", "files of a 'cycle' are made by Thalweg's own writer; set engine: direct");
}

// A file that goes on, a library that all ranks call together and a procedure that is told records in order have one
// group of servers; so have files that are replaced in turn.
void check_turns(Draft& draft, const CollectionSettings& collection) {
  if (collection.turns != Turns::files) return;
  const auto refuse = [&](const char* with, const char* instead) {
    refuse_in(
        draft, collection, "turns",
        fmt::format("with '{}' a series stays with one group of servers; leave turns out, or set {}", with, instead));
  };
  if (collection.append == Append::go_on) refuse("append: continue", "append: new");
  if (collection.engine == Engine::library) refuse("engine: library", "engine: direct");
  if (!collection.format->traits.makes_files()) refuse("format: user", "another format");
  if (collection.cycle > 0) refuse("cycle", "new-file");
}

bool is_of_defaults(const std::pair<const std::string, Where>& set) {
  return set.first.starts_with(defaults_prefix);
}

// Of the dimensions that `chunks` and `region` name, those of the defaults need not be the collection's.
void place_dimensions(const Draft& draft, CollectionSettings& collection) {
  const auto place = [&](const std::string& key) {
    return is_by_default(draft, collection, key) ? "" : where_of(draft, collection, key).label;
  };
  collection.chunks_place = place("chunks");
  collection.fields.region.place = place("region");
  for (auto& [name, variable] : collection.variables) variable.chunks_place = place("variables." + name + ".chunks");
}

void check_rules(Draft& draft, CollectionSettings& collection) {
  collection.append_is_said = draft.where.contains(key_of(collection, "append"));
  collection.record_dimension_is_said = draft.where.contains(key_of(collection, "record-dimension"));
  place_dimensions(draft, collection);
  check_one_record(draft, collection);
  set_default_file(draft, collection);
  check_cycle(draft, collection);
  check_engine(draft, collection);
  if (collection.is_on_demand())
    check_on_demand(draft, collection);
  else
    check_series(draft, collection);
  check_fields(draft, collection);
  note_uneven_records(draft, collection);
  check_format(draft, collection);
  check_division(draft, collection);
  check_turns(draft, collection);
}

// As collections have them that only the program names, whose files nobody knows yet.
void check_defaults(Draft& draft) {
  const auto first = std::ranges::find_if(draft.where, is_of_defaults);
  if (first == draft.where.end()) return;
  const std::string name = "NAME";
  CollectionSettings any = draft.settings.new_collection(name);
  draft.where.emplace("collections." + name, first->second);
  take_defaults(draft, name);
  draft.faulty.insert(key_of(any, "file"));
  // A program that makes all of its files by netCDF's calls takes none of these. Others hear what is wrong with them
  // when they open a collection.
  leave_out_keys_of_calls(draft, any);
  const std::vector<std::string> notes = draft.settings.notes;  // of a collection, when there is one
  check_rules(draft, any);
  draft.settings.notes = notes;
  const std::string prefix = "collections." + name;
  std::erase_if(draft.where, [&](const auto& set) { return set.first.starts_with(prefix); });
  std::erase_if(draft.faulty, [&](const std::string& key) { return key.starts_with(prefix); });
}

void check_and_sort(Draft& draft, CollectionSettings& collection, FaultsOfDefaults& of_defaults) {
  Diagnostics before = std::exchange(draft.faults, {});
  check_rules(draft, collection);
  of_defaults.sort(std::exchange(draft.faults, std::move(before)), collection.name);
}

// As netCDF's calls have it.
bool fits_calls(const Draft& draft, const CollectionSettings& collection) {
  Draft as_calls = draft;
  CollectionSettings of_calls = collection;
  leave_out_keys_of_calls(as_calls, of_calls);
  as_calls.faults = {};
  check_rules(as_calls, of_calls);
  return as_calls.faults.take().empty();
}

// One that the program opens hears then what the defaults say of it and that does not go together
// (require_for_opening); until then it may be one of netCDF's calls.
void check_configured(Draft& draft, CollectionSettings& collection, FaultsOfDefaults& of_defaults) {
  if (!may_be_of_calls(draft, collection)) return check_and_sort(draft, collection, of_defaults);
  Draft ordinary = draft;
  CollectionSettings as_ordinary = collection;
  ordinary.faults = {};
  check_rules(ordinary, as_ordinary);
  const std::vector<Diagnostics::Fault> found = ordinary.faults.take();
  if (found.empty() || !fits_calls(draft, collection)) return check_and_sort(draft, collection, of_defaults);
  collection = as_ordinary;
  draft.settings.notes.push_back(
      fmt::format("{}: collection '{}' can be written by netCDF's calls (nf90_create) alone, "
                  "because of what the defaults say: {}",
                  found.front().where.label, collection.name, found.front().text));
}

}  // namespace

// A collection whose file has no name yet may be one of netCDF's calls, which would be told next that it has no such
// key.
void refuse_in(Draft& draft, const CollectionSettings& collection, const std::string& key, const std::string& why) {
  if (!usable(draft, key_of(collection, key))) return;
  const bool has_name = draft.where.contains(key_of(collection, "file"));
  const std::string advice = has_name || !is_key_of_calls(key) ? "" : advice_for_calls(draft, collection);
  draft.faults.add(where_of(draft, collection, key), fmt::format("{}: {}{}", key, why, advice));
}

void check_collection(Draft& draft, CollectionSettings& collection) {
  FaultsOfDefaults of_defaults(draft);
  check_and_sort(draft, collection, of_defaults);
  of_defaults.tell();
}

void check_forcing(Draft& draft) {
  for (const auto& [name, forcing] : draft.settings.forcing)
    if (forcing.file.empty() && usable(draft, "forcing." + name + ".file"))
      draft.faults.add(draft.where.at("forcing." + name),
                       fmt::format("forcing '{}' has no 'file'; say what is read", name));
}

void check_together(Draft& draft) {
  check_forcing(draft);
  check_servers(draft);
  check_sync(draft);
  check_reference_date(draft);
  if (draft.settings.collections.empty()) check_defaults(draft);
  FaultsOfDefaults of_defaults(draft);
  for (auto& [name, collection] : draft.settings.collections) check_configured(draft, collection, of_defaults);
  of_defaults.tell();
  check_files_differ(draft);
}

}  // namespace thalweg::config
