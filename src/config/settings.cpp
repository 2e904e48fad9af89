#include "config/settings.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/draft.hpp"

namespace thalweg::config {
namespace {

// Notes every key below parent with its value and origin; prefix is parent with the names filled in.
void echo(Draft& draft, const std::string& parent, const std::string& prefix, const Target& target) {
  for (const Entry* entry : entries_below(parent)) {
    const std::string full_key = prefix + entry->key();
    if (entry->is_map_of_names()) {
      for (const std::string& name : entry->names(target))
        echo(draft, entry->path + ".*.", full_key + "." + name + ".", entry->open(target, name));
      continue;
    }
    if (entry->is_section()) {
      echo(draft, entry->path + ".", full_key + ".", target);
      continue;
    }
    const auto set = draft.where.find(full_key);
    const std::string origin = set == draft.where.end() ? "default" : set->second.origin;
    draft.settings.effective.push_back({.key = full_key, .value = entry->show(target), .origin = origin});
  }
}

Settings finished(Draft draft) {
  read_environment(draft);
  read_command_line(draft);
  check_together(draft);
  draft.faults.throw_if_any();
  echo(draft, "", "", {.session = &draft.settings});
  return std::move(draft.settings);
}

std::string content_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    fail(THALWEG_ERROR_CONFIG, "the configuration file '{}' cannot be read: {}", path,
         file ? "it is a directory" : std::strerror(errno));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

CollectionSettings Settings::collection(const std::string& name) const {
  if (const auto configured = collections.find(name); configured != collections.end()) return configured->second;
  if (collections.empty()) return default_collection(name);
  std::vector<std::string> known;
  for (const auto& [other, settings] : collections) known.push_back(other);
  fail(THALWEG_ERROR_NAME, "the collection '{}' is not in the configuration{}", name, name_hint(name, known));
}

Settings load_text(const std::string& yaml, const std::string& origin) {
  Draft draft;
  read_text(draft, yaml, origin);
  return finished(std::move(draft));
}

Settings load_file(const std::string& path) {
  if (path.empty()) return finished({});
  return load_text(content_of(path), path);
}

}  // namespace thalweg::config
