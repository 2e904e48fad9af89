#include "client/file_maker.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "formats/replacing.hpp"
#include "sets/virtual_master.hpp"
#include "storage/posix.hpp"
#include "storage/publishing.hpp"

namespace thalweg::client {

std::string path_of(const Collection& collection, const std::string& name) {
  return (std::filesystem::path(collection.folder) / name).lexically_normal();
}

storage::NameRules name_rules(const Collection& collection) {
  const RecordSchedule& schedule = collection.schedule;
  std::optional<formats::RunStart> start;
  if (std::ranges::any_of(collection.declaration.definition().variables, &catalog::Variable::has_record))
    start = formats::RunStart{schedule.calendar(), schedule.reference(), schedule.start_time_s()};
  return formats::name_rules(collection.declaration.settings(), collection.session_id, start);
}

// A procedure of the model's own gets the name as it is, and no file is made.
std::vector<block::FileNames> FileMaker::names(const std::string& name) const {
  const config::Publishing publishing = collection_.declaration.settings().format->traits.publishing;
  const auto named = [&](const std::string& of_file) {
    return block::FileNames{.partial_path = storage::growing_path(publishing, of_file), .path = of_file};
  };
  if (publishing == config::Publishing::none) return {named(name)};
  const std::string path = path_of(collection_, name);
  std::vector<block::FileNames> names;
  if (collection_.parts.empty()) names.push_back(named(path));
  for (const FilePart& part : collection_.parts) names.push_back(named(storage::part_name(path, part.number)));
  for (block::FileNames& of : names) of.session_id = collection_.session_id;
  return names;
}

void FileMaker::prepare(const std::string& name) {
  if (!prepared_.empty()) return;
  made_ = make(name);
  prepared_ = name;
  changes_ = collection_.declaration.changes();
}

// The program may have chosen another name than that of the file that was prepared, or other attributes.
MadeFiles FileMaker::take(const std::string& name) {
  if (prepared_ != name || changes_ != collection_.declaration.changes()) discard_prepared();
  MadeFiles made = prepared_.empty() ? make(name) : std::exchange(made_, {});
  prepared_.clear();
  return made;
}

void FileMaker::discard_prepared() {
  prepared_.clear();
  const MadeFiles made = std::exchange(made_, {});
  discard(made);
}

// Nothing is in them.
void FileMaker::discard(const MadeFiles& made) {
  for (const block::FileNames& names : made.names)
    if (names.output) names.output->discard();
  if (made.set) made.set->discard();
}

MadeFiles FileMaker::make(const std::string& name) const {
  MadeFiles made;
  made.names = names(name);
  try {
    make_parts(made, path_of(collection_, name));
  } catch (...) {
    discard(made);
    throw;
  }
  return made;
}

void FileMaker::make_parts(MadeFiles& made, const std::string& path) const {
  const config::Durability durability = collection_.declaration.settings().durability;
  const config::FormatTraits& traits = collection_.declaration.settings().format->traits;
  const bool set_is_there = !collection_.parts.empty() && sets::has_known_parts(path);
  for (std::size_t i = 0; i < made.names.size(); ++i) {
    block::FileNames& names = made.names[i];
    names.output = storage::claim(traits.publishing, name_rules(collection_), names.path, set_is_there);
    made.files.push_back(formats::create(names.partial_path, definition_of(i), durability));
    if (traits.makes_files() && durability == config::Durability::record) storage::sync_folder_of(names.path);
  }
  if (sees_to_set()) made.set = make_set_publisher(path);
}

catalog::Definition FileMaker::definition_of(std::size_t file) const {
  const catalog::Definition& whole = collection_.declaration.definition();
  if (collection_.parts.empty()) return whole;
  return sets::definition_of_part(whole, collection_.parts[file].sections,
                                  {collection_.files_in_set, collection_.run_id});
}

// ---- of a set

bool FileMaker::has_master() const {
  return sees_to_set() && sets::has_virtual_master(collection_.declaration.definition().format);
}

std::shared_ptr<const sets::SetPublisher> FileMaker::make_set_publisher(const std::string& path) const {
  std::set<std::int64_t> numbers;
  for (const FilePart& part : collection_.set) numbers.insert(part.number);
  const bool durable = collection_.declaration.settings().durability != config::Durability::none;
  auto publisher = std::make_shared<sets::SetPublisher>(name_rules(collection_), path, numbers, durable);
  if (!has_master()) {
    publisher->warn_of_other_whole();
    return publisher;
  }
  std::vector<sets::SetPart> parts;
  const std::string base = std::filesystem::path(path).filename();
  for (const FilePart& part : collection_.set) parts.push_back({storage::part_name(base, part.number), part.sections});
  sets::create_virtual_master(publisher->prepare_master(), collection_.declaration.definition(), parts);
  publisher->own_master();
  return publisher;
}

}  // namespace thalweg::client
