// Metadata of version 2 in the words of version 3, so that all else is the same for both. Pure.
// (source: "Zarr storage specification version 2"; for `_ARRAY_DIMENSIONS`, xarray's "Zarr encoding specification")
#pragma once

#include "formats/zarr/values.hpp"

namespace thalweg::formats::zarr {

// Of an array: what its `.zarray` and `.zattrs` say. What version 3 has no word for stays as it is, and is refused as
// in version 3. Errors: exceptions of Json.
Json array_of_version_2(const Json& zarray, const Json& zattrs);

// Attributes without those by which libraries say what version 3 says elsewhere.
Json attributes_of_version_2(const Json& zattrs);

}  // namespace thalweg::formats::zarr
