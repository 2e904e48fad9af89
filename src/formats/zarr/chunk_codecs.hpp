// How the values of a chunk became bytes of an object, and how they are had back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "formats/zarr/values.hpp"
#include "transform/filter.hpp"

namespace thalweg::formats::zarr {

class ChunkCodecs {
 public:
  // codecs: those of an array, or of the chunks in its shards. Errors: FORMAT for what is not known here, saying which.
  ChunkCodecs(const Json& codecs, Type type);

  // The values of a chunk of so many bytes, in host order, from what was stored. Errors: STORAGE for damaged ones.
  std::vector<std::byte> decode(std::vector<std::byte> stored, std::size_t bytes) const;

  bool compresses() const;
  // What so many bytes become, where they are not compressed.
  std::int64_t stored_bytes(std::int64_t bytes) const;

 private:
  void add(const Json& codec);

  std::size_t element_bytes_;
  bool has_bytes_ = false;
  bool is_big_endian_ = false;
  std::vector<const transform::Filter*> filters_;  // as they follow each other in encoding; one codec at most
};

}  // namespace thalweg::formats::zarr
