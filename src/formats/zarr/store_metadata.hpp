// What the objects named zarr.json of a store say together.
#pragma once

#include <string>

#include "formats/zarr/values.hpp"

namespace thalweg::formats::zarr {

struct StoreMetadata {
  Json attributes;
  Json arrays;  // the metadata of each node, by its name
};

// As the root has them consolidated, else as each array has its own. Errors: STORAGE; FORMAT where there is no store of
// version 3; exceptions of Json.
StoreMetadata read_store_metadata(const std::string& path);

bool is_along(const Json& array, const std::string& dimension);  // as its first one

// A complete store does not say which dimension once grew. Its time coordinate does, as CF has it. "": it has none.
std::string record_dimension_of(const Json& arrays);

}  // namespace thalweg::formats::zarr
