// What the objects of a store that hold metadata say together.
#pragma once

#include <string>

#include "formats/zarr/values.hpp"

namespace thalweg::formats::zarr {

struct StoreMetadata {
  int version = 3;
  Json attributes;
  Json arrays;  // the metadata of each node, by its path in the store, in the words of version 3
};

// As the root has them consolidated, else as each node has its own. Errors: STORAGE; FORMAT where there is no store;
// exceptions of Json.
StoreMetadata read_store_metadata(const std::string& path);

// Errors: FORMAT.
void require_version_3(const StoreMetadata& metadata);

// Of the objects at the root, as storage::version_at. A store that is replaced or removed has another one.
std::string store_version(const std::string& path);

bool is_along(const Json& array, const std::string& dimension);  // as its first one

// A complete store does not say which dimension once grew. Its time coordinate does, as CF has it. "": it has none.
std::string record_dimension_of(const Json& arrays);

}  // namespace thalweg::formats::zarr
