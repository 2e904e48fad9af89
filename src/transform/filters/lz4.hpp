// Blocks of LZ4 are read, because Zarr's stores of version 2 have them by default; none are written. Pure.
// (source: "LZ4 Block Format Description")
#pragma once

#include <cstddef>
#include <span>

namespace thalweg::transform {

// Returns the bytes written. Errors: STORAGE, if in is damaged or its content does not fit into out.
std::size_t decode_lz4(std::span<const std::byte> in, std::span<std::byte> out);

}  // namespace thalweg::transform
