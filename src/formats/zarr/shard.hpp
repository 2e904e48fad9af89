// A shard: one object that holds the chunks of a part of an array, followed by an index that says where each is. Pure.
// (source: "Sharding codec", Zarr v3, with the index at the end and the index codecs bytes (little-endian) and crc32c)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "block/object_layout.hpp"

namespace thalweg::formats::zarr {

struct ShardChunk {
  std::int64_t offset = 0;  // in the shard
  std::int64_t bytes = block::missing_chunk;
};

// Lays chunks of these numbers of bytes (missing_chunk: reads as fill values, takes no room) out one after the other,
// without gaps, so that a shard is written from its chunks as they lie in memory.
std::vector<ShardChunk> lay_out_shard(std::span<const std::int64_t> chunk_bytes);

// CRC-32C (Castagnoli) of bytes. The index needs one; who has it, gives it.
using Crc32c = std::uint32_t (*)(std::span<const std::byte>);

// The index that ends the shard. chunks: row-major in the shard's grid of chunks.
std::vector<std::byte> encode_shard_index(std::span<const ShardChunk> chunks, Crc32c crc32c);

// The inverse, without the checksum.
std::vector<ShardChunk> decode_shard_index(std::span<const std::byte> numbers);

constexpr std::int64_t shard_index_bytes(std::int64_t chunks) {
  return chunks * 16 + 4;
}

}  // namespace thalweg::formats::zarr
