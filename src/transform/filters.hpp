// Functions of filters that are called by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "transform/filters/rows.hpp"

namespace thalweg::transform {

// HDF5's shuffle filter: first byte 0 of all elements, then byte 1 of all, and so on. What is left over when the bytes
// are not whole elements follows as it is. out has as many bytes as in and does not overlap it.
void shuffle(std::span<const std::byte> in, std::size_t element_bytes, std::byte* out);

// The inverse of shuffle.
void unshuffle(std::span<const std::byte> in, std::size_t element_bytes, std::byte* out);

// The checksum of HDF5's fletcher32 filter, which appends it to the chunk as four bytes, the lowest first.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

// CRC-32C (Castagnoli), which Zarr's crc32c codec appends as four bytes, the lowest first.
std::uint32_t crc32c(std::span<const std::byte> bytes);

// Whether the container of blosc is read with a codec of this name in it ("zstd", "lz4").
bool reads_in_blosc(std::string_view codec);

}  // namespace thalweg::transform
