// The texts of every `zarr.json` of a store: the group at its root, with the metadata of all arrays consolidated as
// zarr-python and xarray do it, and one for each array. Pure; no file is touched.
// (source: "Zarr core specification", version 3; "Sharding codec"; for what the specification leaves open, zarr-python)
#pragma once

#include <string>
#include <vector>

#include "formats/zarr/grid.hpp"

namespace thalweg::formats::zarr {

// A text in which the number of records stands at some places, made once and cheap to make for each commit.
class GrowingText {
 public:
  explicit GrowingText(std::vector<std::string> parts) : parts_(std::move(parts)) {}
  std::string at(std::int64_t records) const;
  bool grows() const { return parts_.size() > 1; }

 private:
  std::vector<std::string> parts_;
};

struct ZarrMetadata {
  GrowingText root;
  std::vector<GrowingText> arrays;  // in the order of the variables
};

// Refuses (FORMAT) what Zarr cannot hold: names, chunks.
ZarrMetadata zarr_metadata(const catalog::Definition& definition);

}  // namespace thalweg::formats::zarr
