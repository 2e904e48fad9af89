#include "files/format_file_maker.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "store/posix.hpp"
#include "store/virtual_master.hpp"

namespace thalweg::files {

// A procedure of the model's own gets the name as it is, and no file is made.
std::vector<store::FileNames> FormatFileMaker::names(const std::string& name) const {
  if (is_callback()) return {{.partial_path = name + store::partial_ending, .path = name}};
  const std::string path = series_.path_of(name);
  const auto named = [&](const std::string& of_file) {
    return store::FileNames{
        .partial_path = of_file + store::partial_ending, .path = of_file, .session_id = series_.identity.session_id};
  };
  if (plan_.parts.empty()) return {named(path)};
  std::vector<store::FileNames> names;
  for (const FilePart& part : plan_.parts) names.push_back(named(store::part_name(path, part.number)));
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
  for (const store::FileNames& names : made.names)
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
  const bool set_is_there = !plan_.parts.empty() && store::has_known_parts(path);
  for (std::size_t i = 0; i < made.names.size(); ++i) {
    store::FileNames& names = made.names[i];
    if (!is_callback()) {
      const auto output = std::make_shared<store::OutputName>(series_.name_rules(), names.path);
      if (set_is_there) output->set_is_there();
      names.output = output;
    }
    made.files.push_back(store::create(names.partial_path, definition_of_file(i), durability));
    if (names.output && durability == config::Durability::record) store::sync_folder_of(names.path);
  }
  if (sees_to_set()) made.set = make_set_publisher(path);
}

catalog::Definition FormatFileMaker::definition_of_file(std::size_t file) const {
  const catalog::Definition whole = definition_of(series_, plan_);
  if (plan_.parts.empty()) return whole;
  return store::definition_of_part(whole, plan_.parts[file].sections, {plan_.files_in_set, series_.identity.run_id});
}

// ---- of a set

bool FormatFileMaker::has_master() const {
  const config::Format format = plan_.definition.format;
  return sees_to_set() && (format == config::Format::netcdf4 || format == config::Format::netcdf4_classic);
}

std::shared_ptr<const store::SetPublisher> FormatFileMaker::make_set_publisher(const std::string& path) const {
  std::set<std::int64_t> numbers;
  for (const FilePart& part : plan_.set) numbers.insert(part.number);
  const bool durable = series_.declaration.settings().durability != config::Durability::none;
  auto publisher = std::make_shared<store::SetPublisher>(series_.name_rules(), path, numbers, durable);
  if (!has_master()) {
    publisher->warn_of_other_whole();
    return publisher;
  }
  std::vector<store::SetPart> parts;
  const std::string base = std::filesystem::path(path).filename();
  for (const FilePart& part : plan_.set) parts.push_back({store::part_name(base, part.number), part.sections});
  store::create_virtual_master(publisher->prepare_master(), definition_of(series_, plan_), parts);
  publisher->own_master();
  return publisher;
}

}  // namespace thalweg::files
