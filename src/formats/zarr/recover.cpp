#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "formats/format_file.hpp"
#include "formats/zarr/file.hpp"
#include "formats/zarr/store_metadata.hpp"
#include "formats/zarr/values.hpp"
#include "storage/read_text.hpp"

namespace thalweg::formats::zarr {
namespace {

namespace fs = std::filesystem;

// The text of an object; nothing if it is not there.
std::optional<std::string> text_of(const std::string& path) {
  if (!fs::exists(path)) return std::nullopt;
  return storage::read_text(path);
}

std::int64_t first_extent(const Json& array) {
  return array.at("shape").at(0).get<std::int64_t>();
}

// Records of the arrays along the record dimension; the least, should they differ.
std::int64_t records_of(const Json& arrays, const std::string& record_dimension) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const auto& [name, array] : arrays.items())
    if (is_along(array, record_dimension)) least = std::min(least, first_extent(array));
  return least == std::numeric_limits<std::int64_t>::max() ? 0 : least;
}

std::int64_t number_of(const std::string& name) {
  std::int64_t number = -1;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

// Deletes the chunks of an array that hold nothing but records beyond its shape.
void delete_beyond(const std::string& path, const Json& array) {
  const auto rows = array.at("chunk_grid").at("configuration").at("chunk_shape").at(0).get<std::int64_t>();
  const std::int64_t first_beyond = (first_extent(array) + rows - 1) / rows;
  std::vector<fs::path> beyond;
  if (!fs::exists(path)) return;
  for (const auto& entry : fs::directory_iterator(path))
    if (number_of(entry.path().filename()) >= first_beyond) beyond.push_back(entry.path());
  for (const auto& row : beyond) fs::remove_all(row);
}

// The root goes first, chunks last: at any moment a reader finds everything that it is told of.
std::int64_t recover_growing(const std::string& path, Json root, const std::string& record_dimension) {
  Json& arrays = root.at("consolidated_metadata").at("metadata");
  const std::int64_t records = records_of(arrays, record_dimension);
  for (auto& [name, array] : arrays.items())
    if (is_along(array, record_dimension)) array.at("shape").at(0) = records;
  storage::ObjectStore store(path, config::DirectIo::off);
  const auto put_if_changed = [&](const std::string& key, const Json& json) {
    const std::string text = json.dump();
    if (text_of(path + "/" + key) != text) store.put(key, text, storage::Stable::at_once);
  };
  put_if_changed(zarr_json, root);
  for (const auto& [name, array] : arrays.items()) put_if_changed(name + "/" + zarr_json, array);
  store.sync_folders();
  for (const auto& [name, array] : arrays.items())
    if (is_along(array, record_dimension)) delete_beyond(path + "/" + name + "/c", array);
  const std::int64_t temporaries = storage::remove_temporaries(path);
  store.remove(zarr_mark);
  store.sync_folders();
  log::debug("'{}' is cut to {} records; {} unfinished objects are deleted", path, records, temporaries);
  return records;
}

std::int64_t recover_store(const std::string& path) {
  const auto root_text = text_of(path + "/" + zarr_json);
  if (!root_text)
    fail(THALWEG_ERROR_FORMAT,
         "the folder '{}' has no '{}': it is no Zarr store, or one whose making was cut short, without a record; name "
         "a store that Thalweg was writing",
         path, zarr_json);
  Json root = Json::parse(*root_text);
  const auto mark = text_of(path + "/" + zarr_mark);
  if (!mark) {
    const Json& arrays = root.at("consolidated_metadata").at("metadata");
    return records_of(arrays, record_dimension_of(arrays));
  }
  const std::string record_dimension = Json::parse(*mark).at("record_dimension");
  if (record_dimension.empty()) refuse_without_records(path);
  return recover_growing(path, std::move(root), record_dimension);
}

}  // namespace

std::int64_t recover_zarr(const std::string& path) {
  try {
    return recover_store(path);
  } catch (const Json::exception& error) {
    fail(
        THALWEG_ERROR_FORMAT,
        "the metadata of the Zarr store '{}' are not as Thalweg writes them: {}; name a store that Thalweg was writing",
        path, words_of(error));
  } catch (const fs::filesystem_error& error) {
    storage::fail_storage(fmt::format("delete unfinished parts of '{}'", path), error.code().value());
  }
}

}  // namespace thalweg::formats::zarr
