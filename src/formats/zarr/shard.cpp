#include "formats/zarr/shard.hpp"

#include <cstring>

namespace thalweg::formats::zarr {
namespace {

void append(std::vector<std::byte>& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i, value >>= 8) bytes.push_back(static_cast<std::byte>(value));
}

}  // namespace

std::vector<ShardChunk> lay_out_shard(std::span<const std::int64_t> chunk_bytes) {
  std::vector<ShardChunk> chunks;
  chunks.reserve(chunk_bytes.size());
  std::int64_t end = 0;
  for (const std::int64_t bytes : chunk_bytes) {
    chunks.push_back({end, bytes});
    if (bytes != block::missing_chunk) end += bytes;
  }
  return chunks;
}

std::vector<std::byte> encode_shard_index(std::span<const ShardChunk> chunks, Crc32c crc32c) {
  std::vector<std::byte> index;
  index.reserve(static_cast<std::size_t>(shard_index_bytes(std::ssize(chunks))));
  for (const ShardChunk& chunk : chunks) {
    const bool missing = chunk.bytes == block::missing_chunk;  // all bits 1 in both numbers
    append(index, missing ? ~std::uint64_t{0} : static_cast<std::uint64_t>(chunk.offset), 8);
    append(index, static_cast<std::uint64_t>(chunk.bytes), 8);
  }
  append(index, crc32c(index), 4);
  return index;
}

std::vector<ShardChunk> decode_shard_index(std::span<const std::byte> numbers) {
  std::vector<ShardChunk> chunks(numbers.size() / 16);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    std::memcpy(&chunks[i].offset, numbers.data() + 16 * i, 8);
    std::memcpy(&chunks[i].bytes, numbers.data() + 16 * i + 8, 8);
  }
  return chunks;
}

}  // namespace thalweg::formats::zarr
