// Chunks of a store, decoded, each from the object that holds it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/kept_chunks.hpp"
#include "formats/zarr/shard.hpp"
#include "formats/zarr/stored_array.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::zarr {

class ChunkReader {
 public:
  // The arrays that are read outlive this.
  explicit ChunkReader(std::string store) : store_(std::move(store)) {}

  // Values of a whole chunk, row-major, in host order; it is the one of this number along each dimension. Nothing: it
  // was never written. Valid until the next call. Errors: STORAGE, FORMAT, naming the object.
  std::optional<std::span<const std::byte>> read(const StoredArray& array, const Index& chunk);

 private:
  struct Object {
    std::string path;
    storage::Descriptor file;
    std::int64_t bytes = 0;
    std::vector<ShardChunk> chunks;  // row-major in its grid of them
  };

  static std::optional<Object> opened(const StoredArray& array, const std::string& path);
  std::optional<std::vector<std::byte>> values_of(const StoredArray& array, const Index& chunk,
                                                  const std::string& path);

  std::string store_;
  std::optional<Object> object_;  // the last one
  KeptChunks kept_;
};

}  // namespace thalweg::formats::zarr
