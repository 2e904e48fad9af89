#include "config/settings.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/draft.hpp"
#include "config/title.hpp"

namespace thalweg::config {
namespace {

void echo_below(Draft& draft, const std::string& parent, const std::string& prefix, const Target& target) {
  for (const Entry* entry : entries_below(parent)) echo(draft, *entry, prefix + entry->key(), target);
}

// A model that changes its folder later does not change where its files are.
void fix_paths(Settings& settings) {
  settings.folder = std::filesystem::current_path();
  for (std::string* path : {&settings.profile, &settings.time_line, &settings.status, &settings.staging_folder,
                            &settings.spill.folder, &settings.source})
    if (!path->empty()) *path = (std::filesystem::path(settings.folder) / *path).lexically_normal();
  for (auto& [name, forcing] : settings.forcing)
    forcing.file = (std::filesystem::path(settings.folder) / forcing.file).lexically_normal();
}

Settings finished(Draft draft) {
  read_environment(draft);
  read_command_line(draft);
  check_together(draft);
  draft.faults.throw_if_any();
  echo_below(draft, "", "", {.session = &draft.settings});
  fix_paths(draft.settings);
  draft.settings.where = std::move(draft.where);
  return std::move(draft.settings);
}

std::string content_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    fail(THALWEG_ERROR_CONFIG, "the configuration file '{}' cannot be read: {}", path,
         file ? "it is a directory" : std::strerror(errno));
  constexpr std::size_t most_bytes = std::size_t{16} << 20;  // more than the tree of a text may hold (document.cpp)
  std::string content(most_bytes + 1, '\0');
  file.read(content.data(), std::ssize(content));
  content.resize(static_cast<std::size_t>(file.gcount()));
  if (content.size() > most_bytes)
    fail(THALWEG_ERROR_CONFIG, "'{}' has more than {} bytes, so it is no configuration; name another file", path,
         most_bytes);
  return content;
}

// The defaults, where any is said, and where no collection shows what it has of them.
bool is_shown(const Draft& draft, const Entry& entry) {
  if (entry.keys_of.empty() || entry.is_map_of_names()) return true;
  return draft.settings.collections.empty() &&
         std::ranges::any_of(draft.where, [](const auto& set) { return set.first.starts_with(defaults_prefix); });
}

}  // namespace

void echo(Draft& draft, const Entry& entry, const std::string& full_key, const Target& target) {
  if (full_key == file_of_defaults || !is_shown(draft, entry)) return;
  if (entry.is_map_of_names()) {
    for (const std::string& name : entry.names(target))
      echo_below(draft, entry.path + ".*.", full_key + "." + name + ".", entry.open(target, name));
    return;
  }
  if (!entry.keys_of.empty()) return echo_below(draft, entry.keys_of, full_key + ".", entry.open(target, ""));
  if (entry.is_section()) return echo_below(draft, entry.path + ".", full_key + ".", target);
  if (!entry.has_value()) return;
  const auto set = draft.where.find(full_key);
  const std::string origin = set == draft.where.end() ? "default" : set->second.origin;
  draft.settings.effective.push_back({.key = full_key, .value = entry.show(target), .origin = origin});
}

// A name is no template: its percent signs are meant as they are.
std::string default_file(const std::string& name) {
  return in_template(name) + ".nc";
}

CollectionSettings Settings::new_collection(const std::string& name) const {
  CollectionSettings collection = defaults;
  collection.name = name;
  collection.file = default_file(name);
  return collection;
}

WhenNotPut CollectionSettings::when_not_put_of(const std::string& variable) const {
  const auto own = variables.find(variable);
  return own == variables.end() ? when_not_put : own->second.when_not_put.value_or(when_not_put);
}

bool CollectionSettings::makes_series() const {
  return one_record || cycle > 0 || new_file != Interval{} || is_template(file);
}

bool CollectionSettings::takes_turns_by_file() const {
  if (turns != Turns::automatic) return turns == Turns::files;
  return makes_series() && append != Append::go_on && cycle == 0 && engine == Engine::direct &&
         format->traits.makes_files();
}

std::string CollectionSettings::name_for(const std::string& variable) const {
  return name + "/" + variable;
}

CollectionSettings CollectionSettings::for_variable(const std::string& variable) const {
  CollectionSettings own = *this;
  own.name = name_for(variable);
  own.file = with_variable(file, variable);
  own.is_for_variable = true;
  return own;
}

CollectionSettings Settings::collection(const std::string& name) const {
  if (const auto configured = collections.find(name); configured != collections.end()) return configured->second;
  const std::size_t slash = std::min(name.rfind('/'), name.size());
  if (const auto whole = collections.find(name.substr(0, slash));
      whole != collections.end() && whole->second.has_files_of_variables())
    return whole->second.for_variable(name.substr(slash + 1));
  std::vector<std::string> known;
  for (const auto& [other, settings] : collections)
    if (!settings.from_program) known.push_back(other);
  if (known.empty()) return new_collection(name);
  fail(THALWEG_ERROR_NAME, "the collection '{}' is not in the configuration{}", name, name_hint(name, known));
}

bool Settings::has_defaults_alone() const {
  return std::ranges::any_of(where, [](const auto& set) { return set.first.starts_with(defaults_prefix); }) &&
         std::ranges::all_of(collections, [](const auto& of) { return of.second.from_program; });
}

const Where* Settings::configured(const std::string& collection, const std::string& key) const {
  for (const std::string& full_key : {"collections." + collection + "." + key, std::string(defaults_prefix) + key})
    if (const auto set = where.find(full_key); set != where.end() && !is_from_program(set->second)) return &set->second;
  return nullptr;
}

const CollectionSettings& Settings::configured(const std::string& collection) const {
  const auto found = collections.find(collection);
  return found != collections.end() && !found->second.from_program ? found->second : defaults;
}

std::string problem_with_servers(const CollectionSettings& collection) {
  if (collection.engine != Engine::library) return "";
  return "engine: library writes by the ranks of the model themselves; set engine: direct, or writers: thread";
}

void Settings::write_by_server_programs() {
  if (has_servers(writers)) return;
  writers = Writers::ranks;
  for (const auto& [name, collection] : collections)
    if (const std::string problem = problem_with_servers(collection); !problem.empty())
      fail(THALWEG_ERROR_CONFIG, "{}, and programs that only serve (thalweg-server) are in the job: {}, without them",
           title_of(collection), problem);
}

void Settings::complete_launch(const LaunchedRanks& ranks) {
  if (!launch) return;
  const Launch said = *launch;
  said.apply(*this, ranks);
}

void Settings::take_collections(Settings&& from) {
  notes = std::move(from.notes);
  collections = std::move(from.collections);
  effective = std::move(from.effective);
  where = std::move(from.where);
}

Settings load_text(const std::string& yaml, const std::string& origin) {
  Draft draft;
  read_text(draft, yaml, origin);
  return finished(std::move(draft));
}

Settings load_file(const std::string& path, std::vector<std::string> arguments) {
  if (path.empty()) return finished({});
  Draft draft;
  draft.arguments = std::move(arguments);
  draft.settings.source = path;
  read_text(draft, content_of(path), path);
  return finished(std::move(draft));
}

}  // namespace thalweg::config
