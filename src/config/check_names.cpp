// Names of outputs that must not meet.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/draft.hpp"

namespace thalweg::config {
namespace {

std::string normal_path(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

// The names that a file of a collection has in the course of time, and what lies beside it meanwhile.
std::vector<std::string> names_around(const std::string& file) {
  const std::string path = normal_path(file);
  return {path, path + ".partial", path + ".partial.journal", path + ".lock", path + ".checksums"};
}

// Two outputs of one name would write over each other, and no output may take the place of the configuration.
class NamesTaken {
 public:
  explicit NamesTaken(Draft& draft) : draft_(draft) {
    const Settings& settings = draft.settings;
    if (!settings.source.empty()) taken_.emplace(normal_path(settings.source), "the configuration itself");
    if (settings.profile.empty() || !usable(draft, "profile")) return;
    if (const auto [other, is_new] = taken_.emplace(normal_path(settings.profile), "the file of 'profile'"); !is_new)
      draft.faults.add(draft.where.at("profile"), fmt::format("profile: '{}' is {}", settings.profile, other->second));
  }

  void take(const CollectionSettings& collection) {
    const std::vector<std::string> names = names_around(collection.file);
    for (const std::string& name : names)
      if (const auto other = taken_.find(name); other != taken_.end()) return refuse(collection, name, other->second);
    for (const std::string& name : names) {
      taken_.emplace(name, name == names.front()
                               ? fmt::format("the file of the collection '{}' already", collection.name)
                               : fmt::format("what lies beside the file of the collection '{}'", collection.name));
      owners_.emplace(name, &collection);
    }
  }

 private:
  // The one further down in the text is at fault.
  void refuse(const CollectionSettings& collection, const std::string& name, const std::string& what) {
    Where where = where_of(draft_, collection, "file");
    const auto owner = owners_.find(name);
    if (owner == owners_.end()) {
      draft_.faults.add(where, fmt::format("file: '{}' is {}", collection.file, what));
      return;
    }
    const CollectionSettings& other = *owner->second;
    const Where there = where_of(draft_, other, "file");
    const bool is_later = where.place.line >= there.place.line;
    const bool is_same = normal_path(collection.file) == normal_path(other.file);
    draft_.faults.add(is_later ? where : there,
                      fmt::format("file: '{}' is {} of the collection '{}'{}", collection.file,
                                  is_same ? "the file" : "or would have beside it a name that belongs to the file",
                                  is_later ? other.name : collection.name, is_same ? " already" : ""));
  }

  Draft& draft_;
  std::map<std::string, std::string> taken_;  // and by what
  std::map<std::string, const CollectionSettings*> owners_;
};

}  // namespace

void check_files_differ(Draft& draft) {
  NamesTaken names(draft);
  for (const auto& [name, collection] : draft.settings.collections)
    if (usable(draft, key_of(collection, "file"))) names.take(collection);
}

}  // namespace thalweg::config
