// Bytes of chunks for tests of filters and codecs.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace thalweg::transform::sample {

// Bytes that no codec makes smaller.
inline std::vector<std::byte> random_bytes(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xff);
  return bytes;
}

// Bytes that every codec makes smaller.
inline std::vector<std::byte> even_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i % 64 / 8);
  return bytes;
}

}  // namespace thalweg::transform::sample
