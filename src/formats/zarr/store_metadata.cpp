#include "formats/zarr/store_metadata.hpp"

#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "formats/zarr/file.hpp"
#include "storage/read_text.hpp"

namespace thalweg::formats::zarr {
namespace {

namespace fs = std::filesystem;

bool is_time(const Json& attributes) {
  const auto text = [&](const char* name) {
    const auto found = attributes.find(name);
    return found != attributes.end() && found->is_string() ? found->get<std::string>() : "";
  };
  return text("units").find(" since ") != std::string::npos || text("axis") == "T" || text("standard_name") == "time";
}

// In the order of their names.
Json arrays_in_folders(const std::string& path) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (is_zarr_store(entry->path())) names.insert(entry->path().filename());
  if (error) storage::fail_storage(fmt::format("list the store '{}'", path), error.value());
  Json arrays = Json::object();
  for (const std::string& name : names)
    arrays[name] = Json::parse(storage::read_text(path + "/" + name + "/" + zarr_json));
  return arrays;
}

}  // namespace

StoreMetadata read_store_metadata(const std::string& path) {
  if (!is_zarr_store(path))
    fail(THALWEG_ERROR_FORMAT, "it is a folder without '{}', and so no Zarr store of version 3", zarr_json);
  const Json root = Json::parse(storage::read_text(path + "/" + zarr_json));
  if (root.at("zarr_format") != 3 || root.at("node_type") != "group")
    fail(THALWEG_ERROR_FORMAT, "its '{}' is of a {} of version {}, and not of a group of version 3", zarr_json,
         root.at("node_type").dump(), root.at("zarr_format").dump());
  const Json consolidated = root.value("consolidated_metadata", Json());
  return {root.value("attributes", Json::object()),
          consolidated.is_object() ? consolidated.at("metadata") : arrays_in_folders(path)};
}

bool is_along(const Json& array, const std::string& dimension) {
  const auto names = array.find("dimension_names");
  return names != array.end() && !names->empty() && names->front() == dimension;
}

std::string record_dimension_of(const Json& arrays) {
  for (const auto& [name, array] : arrays.items())
    if (is_along(array, name) && is_time(array.value("attributes", Json::object()))) return name;
  return "";
}

}  // namespace thalweg::formats::zarr
