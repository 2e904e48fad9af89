#include "formats/zarr/store_metadata.hpp"

#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "formats/record_times.hpp"
#include "formats/zarr/file.hpp"
#include "formats/zarr/parse_json.hpp"
#include "formats/zarr/version_2.hpp"
#include "storage/file_identity.hpp"
#include "storage/read_text.hpp"

namespace thalweg::formats::zarr {
namespace {

namespace fs = std::filesystem;

int likeness_of(const std::string& name, const Json& attributes) {
  const auto text = [&](const char* of) {
    const auto found = attributes.find(of);
    return found != attributes.end() && found->is_string() ? found->get<std::string>() : "";
  };
  return likeness_to_time(
      {.name = name, .units = text("units"), .axis = text("axis"), .standard_name = text("standard_name")});
}

// Objects of version 2.
constexpr const char* array_2 = ".zarray";
constexpr const char* group_2 = ".zgroup";
constexpr const char* attributes_2 = ".zattrs";
constexpr const char* consolidated_2 = ".zmetadata";

std::string in_folder(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

// The folders within one, in the order of their names.
std::set<std::string> folders_in(const std::string& path) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code none; entry->is_directory(none)) names.insert(entry->path().filename());
  if (error) storage::fail_storage(fmt::format("list the store '{}'", path), error.value());
  return names;
}

// Nodes whose metadata are objects of their own. `node(path)` has those of the one at a path in the store; null: there
// is none.
template <typename Node>
void add_nodes(const std::string& store, const std::string& group, const Node& node, Json& nodes) {
  for (const std::string& name : folders_in(in_folder(store, group))) {
    const std::string path = in_folder(group, name);
    const Json metadata = node(path);
    if (metadata.is_null()) continue;
    nodes[path] = metadata;
    const bool is_group = metadata.value("node_type", Json()) == "group";
    if (is_group && !fs::is_symlink(in_folder(store, path))) add_nodes(store, path, node, nodes);  // no circles
  }
}

// The object's JSON. Null: it is not there.
Json json_at(const std::string& path) {
  return fs::exists(path) ? parse_json(storage::read_text(path)) : Json();
}

Json object_at(const std::string& path) {
  const Json json = json_at(path);
  return json.is_null() ? Json::object() : json;
}

// ---- version 3

StoreMetadata version_3(const std::string& path) {
  const Json root = json_at(in_folder(path, zarr_json));
  if (root.at("zarr_format") != 3 || root.at("node_type") != "group")
    fail(THALWEG_ERROR_FORMAT, "its '{}' is of a {} of version {}, and not of a group of version 3", zarr_json,
         root.at("node_type").dump(), root.at("zarr_format").dump());
  StoreMetadata metadata{3, root.value("attributes", Json::object()), Json::object()};
  const Json consolidated = root.value("consolidated_metadata", Json());
  if (consolidated.is_object())
    metadata.arrays = consolidated.at("metadata");
  else
    add_nodes(
        path, "", [&](const std::string& node) { return json_at(path + "/" + node + "/" + zarr_json); },
        metadata.arrays);
  return metadata;
}

// ---- version 2

Json node_2(const Json& array, const Json& attributes, bool is_group) {
  if (!array.is_null()) return array_of_version_2(array, attributes);
  return is_group ? Json{{"node_type", "group"}} : Json();
}

// Their objects by the paths that these have in the store.
Json nodes_of_consolidated_2(const Json& objects) {
  constexpr std::string_view ending = "/.zarray";
  Json nodes = Json::object();
  for (const auto& [path, object] : objects.items()) {
    if (!path.ends_with(ending)) continue;
    const std::string node = path.substr(0, path.size() - ending.size());
    nodes[node] = node_2(object, objects.value(node + "/" + attributes_2, Json::object()), false);
  }
  return nodes;
}

StoreMetadata version_2(const std::string& path) {
  const Json consolidated = json_at(in_folder(path, consolidated_2));
  if (!consolidated.is_null()) {
    const Json& objects = consolidated.at("metadata");
    return {2, attributes_of_version_2(objects.value(attributes_2, Json::object())), nodes_of_consolidated_2(objects)};
  }
  StoreMetadata metadata{2, attributes_of_version_2(object_at(in_folder(path, attributes_2))), Json::object()};
  const auto node = [&](const std::string& name) {
    const std::string folder = path + "/" + name + "/";
    return node_2(json_at(folder + array_2), object_at(folder + attributes_2), fs::exists(folder + group_2));
  };
  add_nodes(path, "", node, metadata.arrays);
  return metadata;
}

}  // namespace

StoreMetadata read_store_metadata(const std::string& path) {
  if (fs::exists(in_folder(path, zarr_json))) return version_3(path);
  if (fs::exists(in_folder(path, group_2)) || fs::exists(in_folder(path, consolidated_2))) return version_2(path);
  if (fs::exists(in_folder(path, array_2))) fail(THALWEG_ERROR_FORMAT, "it is an array of version 2, and not a group");
  fail(THALWEG_ERROR_FORMAT,
       "it is a folder without '{}', and so no Zarr store of version 3, and without '{}', and so "
       "none of version 2",
       zarr_json, group_2);
}

void require_version_3(const StoreMetadata& metadata) {
  if (metadata.version != 3)
    fail(THALWEG_ERROR_FORMAT,
         "it is a Zarr store of version {}, which Thalweg only reads; write one of version 3 under another name",
         metadata.version);
}

std::string store_version(const std::string& path) {
  std::string version;
  for (const char* object : {zarr_json, group_2, attributes_2, consolidated_2})
    version += storage::version_at(in_folder(path, object));
  return version;
}

bool is_along(const Json& array, const std::string& dimension) {
  const auto names = array.find("dimension_names");
  return names != array.end() && !names->empty() && names->front() == dimension;
}

std::string record_dimension_of(const Json& arrays) {
  std::string most_like;
  int most = 0;
  for (const auto& [name, array] : arrays.items())
    if (is_along(array, name))
      if (const int likeness = likeness_of(name, array.value("attributes", Json::object())); likeness > most) {
        most_like = name;
        most = likeness;
      }
  return most_like;
}

}  // namespace thalweg::formats::zarr
