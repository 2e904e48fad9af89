#include "planning/file_probe.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "formats/format_file.hpp"
#include "planning/block_builder.hpp"
#include "sets/file_set.hpp"
#include "storage/part_name.hpp"
#include "transport/collective.hpp"

namespace thalweg::planning {
namespace {

void note_what_is_left_out(const Draft& draft) {
  const catalog::Definition& definition = draft.definition;
  if (definition.format->traits.describes) return;
  std::size_t attributes = definition.attributes.size();
  for (const catalog::Variable& variable : definition.variables) attributes += variable.attributes.size();
  log::note("collection '{}': its format holds values only; {} attributes, names and dimensions are not in '{}'",
            draft.identity.name, attributes, draft.declaration.settings().file);
}

// Else the message would name the file that the probe makes.
void require_folder(const Draft& draft, const std::filesystem::path& folder) {
  std::error_code unknown;  // is said when the file is made
  if (folder.empty() || std::filesystem::exists(folder, unknown) || unknown) return;
  const config::CollectionSettings& settings = draft.declaration.settings();
  fail(THALWEG_ERROR_STORAGE,
       "{}: collection '{}': there is no folder '{}' for its file '{}'; make it, or change 'file' (of a file of "
       "nf90_create, the path)",
       settings.place, settings.name, folder.string(), settings.file);
}

// What is wrong with the definition is told of the file that it is for.
std::unique_ptr<formats::FormatFile> made_as(const std::string& path, const std::string& file,
                                             const catalog::Definition& of) {
  try {
    return formats::create(path, of);
  } catch (const Error& error) {
    std::string text = error.what();
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at + file.size()))
      text.replace(at, path.size(), file);
    throw Error(error.code(), text);
  }
}

// Where each variable begins and the distance of records; of chunked formats whether checksums come first.
// others: collections that have the file, too, because groups of servers write it in turn, and are probed before.
std::vector<std::int64_t> probe(const Draft& draft, const std::string& name, int others, catalog::Definition of) {
  const std::filesystem::path file = name;
  require_folder(draft, file.parent_path());
  const std::string path = (file.parent_path() / fmt::format(".thalweg-probe-{}{}", file.filename().string(),
                                                             others == 0 ? "" : fmt::format("-{}", others)))
                               .string();
  std::error_code ignored;  // what is wrong with the place is said when the file is made
  std::filesystem::remove_all(path, ignored);
  struct Remove {
    const std::string& path;
    ~Remove() {
      std::error_code no_matter;
      std::filesystem::remove_all(path, no_matter);
    }
  } remove{path};
  of.striping = {};  // nothing stays of this file
  const std::unique_ptr<formats::FormatFile> made = made_as(path, file.string(), of);
  note_what_is_left_out(draft);
  if (draft.chunked) return {made->checksum_comes_first() ? 1 : 0};
  std::vector<std::int64_t> places;
  std::int64_t record_bytes = 0;
  for (std::size_t v = 0; v < of.variables.size(); ++v) {
    places.push_back(made->offset(static_cast<int>(v), 0, 0));
    if (of.variables[v].has_record) record_bytes = made->offset(static_cast<int>(v), 1, 0) - places.back();
  }
  places.push_back(record_bytes);
  return places;
}

// Of a set every node knows its own files; else the file owner knows the one. -1: nobody writes here.
int prober_of(const Draft& draft) {
  const int node = draft.set.empty() ? draft.file_plan.owner_node : draft.given.roles.node;
  const std::vector<int>& writers = draft.writers.of_node[static_cast<std::size_t>(node)];
  return writers.empty() ? -1 : writers.front();
}

std::vector<const files::FilePart*> parts_of_node(const Draft& draft) {
  std::vector<const files::FilePart*> parts;
  for (const files::FilePart& part : draft.set)
    if (part.node == draft.given.roles.node) parts.push_back(&part);
  return parts;
}

// File after file.
std::vector<std::int64_t> probe_all(const Draft& draft, const std::vector<const files::FilePart*>& parts, int others) {
  const catalog::Definition& definition = draft.definition;
  const std::string& file = draft.declaration.settings().file;
  if (draft.set.empty()) return probe(draft, file, others, definition);
  std::vector<std::int64_t> places;
  for (const files::FilePart* part : parts) {
    const std::vector<std::int64_t> of_file =
        probe(draft, storage::part_name(file, part->number), others,
              sets::definition_of_part(definition, part->sections, {std::ssize(draft.set), draft.identity.run_id}));
    places.insert(places.end(), of_file.begin(), of_file.end());
    if (draft.chunked) break;  // what is asked is the same of all
  }
  return places;
}

// What is found of a collection, file after file.
struct Probe {
  Draft& draft;
  int prober = -1;
  std::vector<const files::FilePart*> parts;
  std::vector<std::int64_t> places;
  int others = 0;  // of the same file, before it

  explicit Probe(Draft& of) : draft(of), prober(prober_of(of)), parts(parts_of_node(of)) {
    const bool is_chunked = draft.chunked;
    const std::size_t files = draft.set.empty() || (is_chunked && !parts.empty()) ? 1 : parts.size();
    places.resize(files * places_of_file());
  }

  std::size_t places_of_file() const { return draft.chunked ? 1 : draft.definition.variables.size() + 1; }

  // Of a procedure of the model's, nothing is asked.
  void look() {
    if (draft.set.empty()) formats::check_limits(draft.definition);
    if (draft.given.roles.rank == prober && !draft.callback) places = probe_all(draft, parts, others);
  }

  void note() const {
    const auto each = static_cast<std::ptrdiff_t>(places_of_file());
    std::size_t files = 0;
    for (auto first = places.begin(); first != places.end(); first += each, ++files)
      draft.places[draft.set.empty() ? 0 : parts[files]->number].assign(first, first + each);
  }
};

// Who has to know hears at once of all collections that one rank has probed: of sets the node, else all ranks.
void share_places(const roles::Roles& roles, std::vector<Probe>& probes) {
  std::map<std::pair<bool, int>, std::vector<std::int64_t>> told;  // of sets or not, by rank that tells
  const auto by = [](const Probe& probe) { return std::pair(!probe.draft.set.empty(), probe.prober); };
  const auto has_to_tell = [](const Probe& probe) { return probe.prober >= 0 && !probe.draft.callback; };
  for (const Probe& probe : probes)
    if (has_to_tell(probe)) std::ranges::copy(probe.places, std::back_inserter(told[by(probe)]));
  for (auto& [who, places] : told) {
    const auto in_node = std::ranges::find(roles.node_members, who.second) - roles.node_members.begin();
    if (who.first)
      transport::broadcast_values(roles.local, static_cast<int>(in_node), places);
    else
      transport::broadcast_values(roles.world, who.second, places);
  }
  std::map<std::pair<bool, int>, std::ptrdiff_t> read;
  for (Probe& probe : probes) {
    if (!has_to_tell(probe)) continue;
    std::ptrdiff_t& first = read[by(probe)];
    std::copy_n(told[by(probe)].begin() + first, probe.places.size(), probe.places.begin());
    first += std::ssize(probe.places);
  }
}

}  // namespace

void probe_files(std::list<Draft>& drafts, const AtStorage& at_storage) {
  if (drafts.empty()) return;
  std::vector<Probe> probes(drafts.begin(), drafts.end());
  std::map<std::string, int> of_file;
  for (Probe& probe : probes) probe.others = of_file[probe.draft.declaration.settings().file]++;
  at_storage([&] {
    for (const Draft& draft : drafts) require_room_for_blocks(draft);
    for (Probe& probe : probes) probe.look();
  });
  share_places(drafts.front().given.roles, probes);
  for (const Probe& probe : probes) probe.note();
}

}  // namespace thalweg::planning
