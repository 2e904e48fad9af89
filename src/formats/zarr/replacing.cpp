#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "formats/zarr/file.hpp"
#include "storage/object_store.hpp"
#include "storage/publish.hpp"
#include "storage/read_text.hpp"

namespace thalweg::formats::zarr {
namespace {

namespace fs = std::filesystem;

bool is_zarr_metadata(const std::string& name) {
  constexpr std::string_view known[] = {"zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata"};
  return std::ranges::find(known, name) != std::end(known);
}

bool is_number(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

// Of version 3 below "c", or "c.0.1.2", of version 2 "0", "0.1.2"; and folders of such.
bool is_chunk(std::string_view name) {
  if (name.starts_with("c.")) name.remove_prefix(2);
  const auto is_part = [](unsigned char letter) { return std::isdigit(letter) != 0 || letter == '.'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0 &&
         std::ranges::all_of(name, is_part);
}

std::string without_temporary_ending(std::string name) {
  if (name.ends_with(storage::temporary_ending))
    name.resize(name.size() - std::string_view(storage::temporary_ending).size());
  return name;
}

bool is_own_object(const std::string& name) {
  return name == zarr_mark || name == storage::replaced_mark || name == storage::replaced_note;
}

// What the entry is called when it is whole, and whether it is a folder that is no link.
struct Entry {
  explicit Entry(const fs::directory_entry& found)
      : path(found.path()),
        name(without_temporary_ending(path.filename())),
        is_tree(!found.is_symlink() && found.is_directory()) {}
  fs::path path;
  std::string name;
  bool is_tree;
};

std::vector<Entry> entries_of(const fs::path& folder) {
  const fs::directory_iterator found(folder);
  return {begin(found), end(found)};
}

bool is_node(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    return is_zarr_metadata(entry.path().filename());
  });
}

// What a node may hold: an array has chunks, a group other nodes, also with names of chunks; one whose metadata are
// damaged may be either.
struct Holds {
  bool chunks = true;
  bool nodes = true;
};

Holds held_by(const fs::path& node) {
  if (!fs::exists(node / zarr_json)) return {};
  const auto metadata = nlohmann::json::parse(storage::read_text(node / zarr_json), nullptr, false);
  const auto type = metadata.is_object() ? metadata.value("node_type", nlohmann::json()) : nlohmann::json();
  return {.chunks = type != "group", .nodes = type != "array"};
}

// The first entry below that is neither a chunk nor a folder of them; empty: there is none.
fs::path foreign_in_chunks(const fs::path& folder) {
  for (const Entry& entry : entries_of(folder)) {
    if (entry.is_tree ? !is_number(entry.name) : !is_chunk(entry.name)) return entry.path;
    if (!entry.is_tree) continue;
    if (fs::path found = foreign_in_chunks(entry.path); !found.empty()) return found;
  }
  return {};
}

// The first entry that no store has; empty: there is none. Version 3 has chunks below "c", or an only one of this name;
// version 2 beside the metadata.
fs::path foreign_entry(const fs::path& node) {
  const Holds holds = held_by(node);
  for (const Entry& entry : entries_of(node)) {
    if (!entry.is_tree) {
      const bool is_only_chunk = holds.chunks && (entry.name == "c" || is_chunk(entry.name));
      if (is_only_chunk || is_zarr_metadata(entry.name) || is_own_object(entry.name)) continue;
      return entry.path;
    }
    const bool is_inner = holds.nodes && is_node(entry.path);
    if (!is_inner && !(holds.chunks && (entry.name == "c" || is_number(entry.name)))) return entry.path;
    if (fs::path found = is_inner ? foreign_entry(entry.path) : foreign_in_chunks(entry.path); !found.empty())
      return found;
  }
  return {};
}

}  // namespace

void require_zarr_alone(const std::string& store) {
  if (!is_zarr_store(store))
    fail(THALWEG_ERROR_STORAGE,
         "'{}' is a folder and no Zarr store, so it is not replaced; remove it, or choose another name", store);
  try {
    const fs::path found = foreign_entry(store);
    if (!found.empty())
      fail(
          THALWEG_ERROR_STORAGE,
          "'{}' is not replaced, because there is something in it that is no part of a Zarr store: '{}'; move it away, "
          "or choose another name",
          store, found.string());
  } catch (const fs::filesystem_error& error) {
    storage::fail_storage(fmt::format("look through the store '{}'", store), error.code().value());
  }
}

}  // namespace thalweg::formats::zarr
