#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg {

// Writes so many bytes of a number, the lowest first, and returns what follows them.
constexpr std::byte* put_little_endian(std::byte* at, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) *at++ = static_cast<std::byte>(number >> 8 * i & 0xff);
  return at;
}

}  // namespace thalweg
