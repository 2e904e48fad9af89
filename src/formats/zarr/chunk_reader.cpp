#include "formats/zarr/chunk_reader.hpp"

#include <fcntl.h>

#include <utility>

#include "base/error.hpp"
#include "storage/file_identity.hpp"

namespace thalweg::formats::zarr {
namespace {

std::int64_t chunk_bytes(const StoredArray& array) {
  return array.grid.chunk.product() * static_cast<std::int64_t>(size_of(array.type));
}

Index object_of(const StoredArray& array, const Index& chunk) {
  Index object = chunk;
  for (int d = 0; d < object.rank(); ++d) object[d] = chunk[d] * array.grid.chunk[d] / array.grid.object[d];
  return object;
}

// Row-major among the chunks of its object.
std::size_t number_in_object(const StoredArray& array, const Index& chunk) {
  const Index chunks = array.grid.object_chunks();
  std::int64_t number = 0;
  for (int d = 0; d < chunks.rank(); ++d) number = number * chunks[d] + chunk[d] % chunks[d];
  return static_cast<std::size_t>(number);
}

std::vector<std::byte> bytes_at(const storage::Descriptor& file, const std::string& path, std::int64_t file_bytes,
                                std::int64_t offset, std::int64_t bytes) {
  if (offset < 0 || bytes < 0 || offset > file_bytes || bytes > file_bytes - offset)
    fail(THALWEG_ERROR_STORAGE, "its object has {} bytes, and not {} at {}: it is damaged or was cut short", file_bytes,
         bytes, offset < 0 ? "its end" : std::to_string(offset));
  std::vector<std::byte> read(static_cast<std::size_t>(bytes));
  storage::read_all(file, path, offset, read);
  return read;
}

}  // namespace

// Nothing: it is not there.
std::optional<ChunkReader::Object> ChunkReader::opened(const StoredArray& array, const std::string& path) {
  if (!storage::is_there(path)) return std::nullopt;
  Object object{path, storage::open_file(path, O_RDONLY), 0, {}};
  object.bytes = storage::size_of_file(object.file, path);
  object.chunks = {{0, object.bytes}};
  if (!array.index) return object;
  const std::int64_t numbers = 16 * array.grid.object_chunks().product();
  const std::int64_t bytes = array.index->codecs.stored_bytes(numbers);
  const std::int64_t begin = array.index->is_at_end ? object.bytes - bytes : 0;
  object.chunks = decode_shard_index(array.index->codecs.decode(bytes_at(object.file, path, object.bytes, begin, bytes),
                                                                static_cast<std::size_t>(numbers)));
  return object;
}

std::optional<std::vector<std::byte>> ChunkReader::values_of(const StoredArray& array, const Index& chunk,
                                                             const std::string& path) {
  if (!object_ || object_->path != path) object_ = opened(array, path);
  if (!object_) return std::nullopt;
  const ShardChunk place = object_->chunks[number_in_object(array, chunk)];
  if (place.bytes == block::missing_chunk) return std::nullopt;
  return array.codecs.decode(bytes_at(object_->file, path, object_->bytes, place.offset, place.bytes),
                             static_cast<std::size_t>(chunk_bytes(array)));
}

KeptChunks::Values ChunkReader::read(const StoredArray& array, const Index& chunk, bool is_kept) {
  if (KeptChunks::Values known = kept_.find(&array, chunk)) return known;
  const std::string path = store_ + "/" + key_of(array, object_of(array, chunk));
  try {
    auto read = values_of(array, chunk, path);
    if (!read) return nullptr;
    auto values = std::make_shared<const std::vector<std::byte>>(*std::move(read));
    if (is_kept) kept_.keep(&array, chunk, values);
    return values;
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("chunk {} of array '{}' cannot be read from '{}': {}", to_string(chunk),
                                          array.name, path, error.what()));
  }
}

}  // namespace thalweg::formats::zarr
