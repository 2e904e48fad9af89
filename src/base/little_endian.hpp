#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg {

// Writes so many bytes of a number, the lowest first, and returns what follows them.
constexpr std::byte* put_little_endian(std::byte* at, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) *at++ = static_cast<std::byte>(number >> 8 * i & 0xff);
  return at;
}

// The number that these bytes are, at most eight of them, the lowest first.
constexpr std::uint64_t little_endian(std::span<const std::byte> bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return number;
}

}  // namespace thalweg
