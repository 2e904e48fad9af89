#include "files/format_file_maker.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "formats/format_file.hpp"
#include "sets/virtual_master.hpp"
#include "storage/posix.hpp"
#include "storage/publishing.hpp"

namespace thalweg::files {

// A procedure of the model's own gets the name as it is, and no file is made.
std::vector<block::FileNames> FormatFileMaker::names(const std::string& name) const {
  const config::Publishing publishing = traits().publishing;
  const auto named = [&](const std::string& of_file) {
    return block::FileNames{.partial_path = storage::growing_path(publishing, of_file), .path = of_file};
  };
  if (publishing == config::Publishing::none) return {named(name)};
  const std::string path = series_.path_of(name);
  std::vector<block::FileNames> names;
  if (plan_.parts.empty()) names.push_back(named(path));
  for (const FilePart& part : plan_.parts) names.push_back(named(storage::part_name(path, part.number)));
  if (!traits().is_placed())  // else the name has no lock
    for (block::FileNames& of : names) of.session_id = series_.identity.session_id;
  return names;
}

void FormatFileMaker::prepare(const std::string& name) {
  if (!prepared_.empty()) return;
  made_ = make(name);
  prepared_ = name;
  changes_ = series_.declaration.changes();
}

// The program may have chosen another name than that of the file that was prepared, or other attributes.
MadeFiles FormatFileMaker::take(const std::string& name) {
  if (prepared_ != name || changes_ != series_.declaration.changes()) discard_prepared();
  MadeFiles made = prepared_.empty() ? make(name) : std::exchange(made_, {});
  prepared_.clear();
  return made;
}

void FormatFileMaker::discard_prepared() {
  prepared_.clear();
  const MadeFiles made = std::exchange(made_, {});
  discard(made);
}

// Nothing is in them.
void FormatFileMaker::discard(const MadeFiles& made) {
  for (const block::FileNames& names : made.names)
    if (names.output) names.output->discard();
  if (made.set) made.set->discard();
}

MadeFiles FormatFileMaker::make(const std::string& name) const {
  MadeFiles made;
  made.names = names(name);
  try {
    make_parts(made, series_.path_of(name));
  } catch (...) {
    discard(made);
    throw;
  }
  return made;
}

void FormatFileMaker::make_parts(MadeFiles& made, const std::string& path) const {
  const config::Durability durability = series_.declaration.settings().durability;
  const bool set_is_there = !plan_.parts.empty() && sets::has_known_parts(path);
  for (std::size_t i = 0; i < made.names.size(); ++i) {
    block::FileNames& names = made.names[i];
    names.output = storage::claim(traits().publishing, series_.name_rules(), names.path, set_is_there);
    made.files.push_back(formats::create(names.partial_path, definition_of_file(i), durability));
    if (traits().makes_files() && durability == config::Durability::record) storage::sync_folder_of(names.path);
  }
  if (sees_to_set()) made.set = make_set_publisher(path);
}

catalog::Definition FormatFileMaker::definition_of_file(std::size_t file) const {
  const catalog::Definition whole = definition_of(series_, plan_);
  if (plan_.parts.empty()) return whole;
  return sets::definition_of_part(whole, plan_.parts[file].sections, {plan_.files_in_set, series_.identity.run_id});
}

// ---- of a set

bool FormatFileMaker::has_master() const {
  return sees_to_set() && sets::has_virtual_master(plan_.definition.format);
}

std::shared_ptr<const sets::SetPublisher> FormatFileMaker::make_set_publisher(const std::string& path) const {
  std::set<std::int64_t> numbers;
  for (const FilePart& part : plan_.set) numbers.insert(part.number);
  const bool durable = series_.declaration.settings().durability != config::Durability::none;
  auto publisher = std::make_shared<sets::SetPublisher>(series_.name_rules(), path, numbers, durable);
  if (!has_master()) {
    publisher->look_at_other_whole();
    return publisher;
  }
  std::vector<sets::SetPart> parts;
  const std::string base = std::filesystem::path(path).filename();
  for (const FilePart& part : plan_.set) parts.push_back({storage::part_name(base, part.number), part.sections});
  sets::create_virtual_master(publisher->prepare_master(), catalog::in_files(definition_of(series_, plan_)), parts);
  publisher->own_master();
  return publisher;
}

}  // namespace thalweg::files
