// The container that Zarr's blosc codec reads, which is how Zarr shuffles: one block, shuffled and compressed with
// zstd, or a copy. (source: c-blosc, README_CHUNK_FORMAT.rst)
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg::transform {

constexpr std::size_t blosc_head_bytes = 16;        // in front of a copy
constexpr std::size_t blosc_block_head_bytes = 24;  // in front of what zstd made

// Writes what stands before `made` bytes of a zstd frame, whose content are `bytes` shuffled bytes.
void put_blosc_block_head(std::byte* at, std::size_t element_bytes, std::size_t bytes, std::size_t made);

// Writes what stands before `bytes` bytes that are neither shuffled nor compressed.
void put_blosc_copy_head(std::byte* at, std::size_t element_bytes, std::size_t bytes);

}  // namespace thalweg::transform
