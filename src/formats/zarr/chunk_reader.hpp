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
  // The arrays that are read, and what is kept of them, outlive this.
  ChunkReader(std::string store, KeptChunks& kept) : store_(std::move(store)), kept_(kept) {}

  // Values of a whole chunk, row-major, in host order; it is the one of this number along each dimension. Null: it was
  // never written. is_kept: for other cells of it. Errors: STORAGE, FORMAT, naming the object.
  KeptChunks::Values read(const StoredArray& array, const Index& chunk, bool is_kept);

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
  KeptChunks& kept_;
};

}  // namespace thalweg::formats::zarr
