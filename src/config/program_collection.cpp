// Collections of which the program says what they are: by a text of its own, or by netCDF's calls.
#include "config/program_collection.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "config/draft.hpp"

namespace thalweg::config {
namespace {

void take_configured(Draft& draft, const std::string& like, const std::string& name) {
  const std::string from = "collections." + like;
  const std::string to = "collections." + name;
  const auto found = draft.settings.collections.find(like);
  if (found == draft.settings.collections.end() || found->second.from_program || draft.where.contains(to)) return;
  CollectionSettings taken = found->second;
  taken.name = name;
  draft.settings.collections[name] = std::move(taken);
  std::map<std::string, Where> said;
  for (const auto& [key, where] : draft.where)
    if ((key == from || key.starts_with(from + ".")) && !is_from_program(where))
      said.emplace(to + key.substr(from.size()), where);
  draft.where.merge(said);
}

// What netCDF's calls alone say.
struct KeyOfCalls {
  std::string_view key;
  std::string_view why;
};
constexpr auto keys_of_calls = std::to_array<KeyOfCalls>({
    {"file", "files have the names that nf90_create is given"},
    {"every", "records are those that nf90_sync, or a put of the next one, closes"},
    {"new-file", "a file ends with nf90_close"},
    {"cycle", "files have the names that nf90_create is given"},
    {"initial-record", "records are those that nf90_sync, or a put of the next one, closes"},
    {"record-dimension", "files have an unlimited dimension, or none, as nf90_def_dim says"},
    {"append", "times are the program's own, so that no file of an earlier run is gone on with"},
});

// Of the collection itself, and not by the defaults.
bool is_said(const Draft& draft, const CollectionSettings& collection, const std::string& key) {
  const auto set = draft.where.find(key_of(collection, key));
  if (set == draft.where.end() || is_from_program(set->second)) return false;
  return !is_by_default(draft, collection, key);
}

// The unlimited dimension may have another name, and a complete file may be replaced, or not.
bool is_for_configuration(const CollectionSettings& collection, const std::string& key, bool has_one_record) {
  if (key == "append") return collection.append != Append::go_on;
  const bool is_none = collection.one_record || collection.record_dimension == no_record_dimension;
  return key == "record-dimension" && !has_one_record && !is_none;
}

// Said of a collection, which does no harm then.
bool is_as_of_calls(const CollectionSettings& collection, const std::string& key) {
  if (key == "every") return collection.is_on_demand();
  if (key == "new-file") return collection.new_file == Interval{};
  if (key == "cycle") return collection.cycle == 0;
  return key == "initial-record" && !collection.initial_record;
}

// A collection says itself what the calls do not.
bool is_against_calls(const Draft& draft, const CollectionSettings& collection, const std::string& key,
                      bool has_one_record) {
  if (is_for_configuration(collection, key, has_one_record) || is_as_of_calls(collection, key)) return false;
  return is_said(draft, collection, key) && (key != "record-dimension" || !has_one_record);
}

// The calls' own keys do not give way: those of the defaults are for others, and those of a collection are refused.
void refuse_keys_of_calls(Draft& draft, const CollectionSettings& collection, bool has_one_record) {
  for (const auto& [name, why] : keys_of_calls) {
    const std::string key(name);
    if (is_against_calls(draft, collection, key, has_one_record))
      draft.faults.add(draft.where.at(key_of(collection, key)),
                       fmt::format("{}: collection '{}' is written by netCDF's calls, where {}; leave it out", key,
                                   collection.name, why));
  }
}

// A line of their text says behind a '#' by which call it came.
Where at_call(const std::vector<std::string>& lines, const std::string& collection, Place place) {
  const auto number = static_cast<std::size_t>(std::max(place.line, 1)) - 1;
  const std::string line = place.line > 0 && number < lines.size() ? lines[number] : "";
  const auto comment = line.rfind("# ");
  const std::string call = comment == std::string::npos ? "netCDF's calls" : line.substr(comment + 2);
  const std::string label = fmt::format("{} of collection '{}'", call, collection);
  return {.label = label, .place = {}, .line = "", .origin = "program, " + label};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

void leave_out_keys_of_calls(Draft& draft, CollectionSettings& collection, bool has_one_record) {
  for (const auto& [name, why] : keys_of_calls)
    if (const std::string key(name); !is_for_configuration(collection, key, has_one_record))
      draft.where.erase(key_of(collection, key));
  const CollectionSettings usual;
  collection.every = usual.every;
  collection.new_file = usual.new_file;
  collection.cycle = usual.cycle;
  collection.initial_record = usual.initial_record;
  if (!draft.where.contains(key_of(collection, "append"))) collection.append = usual.append;
  if (!draft.where.contains(key_of(collection, "record-dimension")))
    collection.record_dimension = usual.record_dimension;
}

std::string advice_for_calls(const Draft& draft, const CollectionSettings& collection) {
  std::string said;
  for (const auto& [name, why] : keys_of_calls)
    if (const std::string key(name); is_against_calls(draft, collection, key, false))
      said += fmt::format("{}'{}'", said.empty() ? "" : ", ", key);
  return said.empty() ? "" : fmt::format("; if nf90_create makes its files, leave {} out, which its calls say", said);
}

bool is_key_of_calls(const std::string& key) {
  return std::ranges::find(keys_of_calls, key, &KeyOfCalls::key) != keys_of_calls.end();
}

bool may_be_of_calls(const Draft& draft, const CollectionSettings& collection) {
  if (!collection.fields.chosen.empty()) return false;
  bool has_any = false;
  for (const auto& [name, why] : keys_of_calls) {
    const std::string key(name);
    if (is_against_calls(draft, collection, key, true)) return false;
    has_any |= draft.where.contains(key_of(collection, key)) && is_by_default(draft, collection, key);
  }
  return has_any;
}

void require_for_calls(const Settings& settings, const std::string& name) {
  const auto found = settings.collections.find(name);
  if (found == settings.collections.end() || found->second.from_program) return;
  Draft draft{.settings = {}, .faults = {}, .where = settings.where, .faulty = {}};
  refuse_keys_of_calls(draft, found->second, true);  // whether it has records is not known yet
  draft.faults.throw_if_any();
}

void require_for_opening(const Settings& settings, const std::string& name) {
  const auto found = settings.collections.find(name);
  if (found == settings.collections.end() || found->second.from_program) return;
  const auto by_defaults = settings.where.lower_bound(std::string(defaults_prefix));
  if (by_defaults == settings.where.end() || !by_defaults->first.starts_with(defaults_prefix)) return;
  Draft draft{.settings = settings, .faults = {}, .where = settings.where, .faulty = {}};
  CollectionSettings& collection = draft.settings.collections.at(name);
  if (!may_be_of_calls(draft, collection)) return;
  if (collection.one_record) collection.record_dimension = no_record_dimension;
  check_collection(draft, collection);
  draft.faults.throw_if_any();
}

void add_collection(Settings& settings, const std::string& name, const std::string& yaml, const std::string& like) {
  Draft draft{.settings = settings, .faults = {}, .where = settings.where, .faulty = {}};
  draft.settings.notes.clear();
  if (like.empty()) {
    const Source source(fmt::format("open_collection_text('{}')", name), yaml, "program");
    read_collection(draft, name, yaml, [&](Place place) { return source.at(place); });
  } else {
    take_configured(draft, like, name);
    const std::vector<std::string> lines = lines_of(yaml);
    const auto where = [&](Place place) { return at_call(lines, name, place); };
    CollectionSettings& collection = open_program_collection(draft, name, where({}));
    const bool has_one_record = yaml.find("\nrecord-dimension:") != std::string::npos;
    refuse_keys_of_calls(draft, collection, has_one_record);
    leave_out_keys_of_calls(draft, collection, has_one_record);
    read_collection(draft, name, yaml, where);
  }
  check_collection(draft, draft.settings.collections.at(name));
  check_files_differ(draft, name);
  draft.faults.throw_if_any();
  const Entry& collections = *find_entry("", "collections");
  std::erase_if(draft.settings.effective,
                [&](const Effective& of) { return of.key.starts_with(collections.key() + "."); });
  echo(draft, collections, collections.key(), {.session = &draft.settings});
  draft.settings.where = std::move(draft.where);
  settings.take_collections(std::move(draft.settings));
}

}  // namespace thalweg::config
