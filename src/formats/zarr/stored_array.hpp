// An array of a store as its metadata say it: all that is needed to read it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "block/object_layout.hpp"
#include "catalog/definition.hpp"
#include "formats/zarr/chunk_codecs.hpp"

namespace thalweg::formats::zarr {

// How the index of an object with several chunks is stored.
struct ShardIndex {
  ChunkCodecs codecs;
  bool is_at_end = true;
};

struct StoredArray {
  std::string name;
  Type type = Type::float64;
  std::vector<std::string> dimensions;  // "": it has no name
  block::ObjectGrid grid;               // with all records; whether there are any, the array does not say
  Element fill{};                       // what a chunk is that was never written
  std::vector<int> order;               // in which the dimensions of a chunk follow each other, the slowest first
  ChunkCodecs codecs;                   // of a chunk
  std::optional<ShardIndex> index{};
  std::string key_begin = "/c/";  // behind the name
  std::string separator = "/";    // between numbers
  std::vector<catalog::Attribute> attributes;
};

// Errors: FORMAT for what is not read here, saying what of which array; exceptions of Json.
StoredArray stored_array(const std::string& name, const Json& metadata);

// Of the values in a chunk, in bytes.
Index chunk_strides(const StoredArray& array);

// "temp/c/12/0/3": the object with this number along each dimension.
std::string key_of(const StoredArray& array, const Index& object);

}  // namespace thalweg::formats::zarr
