#include "client/file_maker.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "store/posix.hpp"
#include "store/publish.hpp"
#include "store/virtual_master.hpp"
#include "store/zarr_file.hpp"

namespace thalweg::client {
namespace {

namespace fs = std::filesystem;

constexpr const char* partial_ending = ".partial";

// "ocean.nc" -> "ocean.old.nc", "ocean.old2.nc", …: the first whose partial file does not exist. It ends in ".partial"
// again, so that it can be recovered as it is.
std::string name_for_kept(const std::string& path) {
  const std::filesystem::path original = path;
  for (int number = 1;; ++number) {
    const std::string ending =
        fmt::format(".old{}{}.partial", number == 1 ? "" : std::to_string(number), original.extension().string());
    const std::filesystem::path kept = original.parent_path() / (original.stem().string() + ending);
    if (!std::filesystem::exists(kept)) return kept.string();
  }
}

// Numbers of the files of a set that lie in its folder, complete or not.
std::set<std::int64_t> numbers_present(const std::string& set) {
  const fs::path folder = fs::path(set).has_parent_path() ? fs::path(set).parent_path() : fs::path(".");
  std::set<std::int64_t> numbers;
  std::error_code error;  // of a folder that cannot be listed: what is made next says what is wrong with it
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    fs::path name = entry->path().filename();
    if (name.extension() == partial_ending) name = name.stem();
    const auto part = store::parse_part_name(name.string());
    if (part && part->set == fs::path(set).filename()) numbers.insert(part->number);
  }
  return numbers;
}

}  // namespace

void make_way(const config::CollectionSettings& settings, const std::string& path, const std::string& partial_path) {
  if (settings.append == config::Append::fail)
    for (const std::string& existing : {path, partial_path})
      if (fs::exists(existing))
        fail(THALWEG_ERROR_STORAGE,
             "collection '{}': '{}' exists already and 'append' is 'fail'; remove it, change 'file', or set 'append: "
             "new'",
             settings.name, existing);
  if (fs::is_directory(path) && !store::is_zarr_store(path))
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': '{}' is a folder and no Zarr store, so it is not replaced; remove it, or change 'file'",
         settings.name, path);
  if (!fs::exists(partial_path)) return;
  const std::string kept = name_for_kept(path);
  std::error_code error;
  fs::rename(partial_path, kept, error);
  if (error)
    fail(THALWEG_ERROR_STORAGE, "collection '{}': cannot keep '{}' of an earlier run aside: {}", settings.name,
         partial_path, error.message());
  if (fs::exists(partial_path + ".journal")) fs::rename(partial_path + ".journal", kept + ".journal", error);
  log::warning("collection '{}': '{}' was left by a run that did not finish; kept as '{}'", settings.name, partial_path,
               kept);
}

std::vector<store::FileNames> FileMaker::names(const std::string& name) const {
  if (collection_.parts.empty()) return {{name + partial_ending, name}};
  std::vector<store::FileNames> names;
  for (const FilePart& part : collection_.parts) {
    const std::string path = store::part_name(name, part.number);
    names.push_back({path + partial_ending, path});
  }
  return names;
}

void FileMaker::prepare(const std::string& name) {
  if (!prepared_.empty()) return;
  files_ = make(name);
  prepared_ = name;
  changes_ = collection_.declaration.changes();
}

// The program may have chosen another name than that of the file that was prepared, or other attributes.
FileMaker::Files FileMaker::take(const std::string& name) {
  if (prepared_ != name || changes_ != collection_.declaration.changes()) discard_prepared();
  Files files = prepared_.empty() ? make(name) : std::exchange(files_, {});
  prepared_.clear();
  if (has_master()) publish_master(name);
  return files;
}

void FileMaker::discard_prepared() {
  files_.clear();
  const std::string prepared = std::exchange(prepared_, {});
  if (prepared.empty()) return;
  std::error_code no_matter;  // nothing is in them
  for (const store::FileNames& made : names(prepared)) fs::remove_all(made.partial_path, no_matter);
  if (has_master()) fs::remove(prepared + partial_ending, no_matter);
}

FileMaker::Files FileMaker::make(const std::string& name) const {
  if (sees_to_set()) clear_old_parts(name);
  const std::vector<store::FileNames> all = names(name);
  Files files;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!collection_.procedure) make_way(collection_.declaration.settings(), all[i].path, all[i].partial_path);
    files.push_back(store::create(all[i].partial_path, definition_of(i)));
  }
  if (has_master()) make_master(name);
  return files;
}

catalog::Definition FileMaker::definition_of(std::size_t file) const {
  const catalog::Definition& whole = collection_.declaration.definition();
  if (collection_.parts.empty()) return whole;
  return store::definition_of_part(whole, collection_.parts[file].sections, collection_.files_in_set);
}

// ---- of a set

bool FileMaker::has_master() const {
  const config::Format format = collection_.declaration.definition().format;
  return sees_to_set() && (format == config::Format::netcdf4 || format == config::Format::netcdf4_classic);
}

// Files of an earlier set of the same name that had more of them would be taken for files of this one.
void FileMaker::clear_old_parts(const std::string& name) const {
  std::set<std::int64_t> old = numbers_present(name);
  for (const FilePart& part : collection_.set) old.erase(part.number);
  for (const std::int64_t number : old) {
    const std::string path = store::part_name(name, number);
    make_way(collection_.declaration.settings(), path, path + partial_ending);
    if (fs::remove(path))
      log::warning("collection '{}': removed '{}' of an earlier set, because the new one has no file of this number",
                   collection_.name, path);
  }
}

void FileMaker::make_master(const std::string& name) const {
  make_way(collection_.declaration.settings(), name, name + partial_ending);
  const std::string base = fs::path(name).filename();
  std::vector<store::SetPart> parts;
  for (const FilePart& part : collection_.set) parts.push_back({store::part_name(base, part.number), part.sections});
  store::create_virtual_master(name + partial_ending, collection_.declaration.definition(), parts);
}

// It is complete from the start, and shows what the parts have when they get their names.
void FileMaker::publish_master(const std::string& name) const {
  const bool durable = collection_.declaration.settings().durability != config::Durability::none;
  if (durable) store::sync_file(name + partial_ending);
  store::publish(name + partial_ending, name, durable);
}

}  // namespace thalweg::client
