// How Zarr cuts an array: chunks, and objects that hold one chunk or, sharded, several. Pure arithmetic, the same on
// every rank. All extents have the record dimension first, if the variable has one.
#pragma once

#include <cstdint>
#include <string>

#include "block/object_layout.hpp"
#include "catalog/definition.hpp"

namespace thalweg::formats::zarr {

// Variables whose `chunk` is empty are one chunk (of each row of records). An object never holds more than one row of
// chunks along the record dimension, because it is written once.
block::ObjectGrid zarr_grid(const catalog::Definition& definition, const catalog::Variable& variable);

// The same grid where dimensions that an index list joins are one: chunks are stretches of it, so their numbers and
// those of objects stay what they are.
block::ObjectGrid joined_grid(const block::ObjectGrid& grid, const JoinedDimensions& joined);

// Key of the object that holds the record; `object` is its row-major number in the grid of objects of a row of records.
// Example: "temp/c/12/0/3"; of a variable without dimensions: "depth/c".
std::string zarr_key(const std::string& name, const block::ObjectGrid& grid, std::int64_t record, std::int64_t object);

}  // namespace thalweg::formats::zarr
