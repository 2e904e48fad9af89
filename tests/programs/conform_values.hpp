// Values that anybody can compute again: a hash of (variable's name, step, linear index in file order), cut to the
// type. tests/support/formula.py is the same in numpy.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include <thalweg.h>

namespace conform {

inline std::uint64_t mix(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

inline std::uint64_t seed_of(const std::string& name) {
  std::uint64_t seed = 0xcbf29ce484222325;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return seed;
}

inline std::uint64_t hash(std::uint64_t seed, std::int64_t step, std::int64_t index) {
  return mix(seed + mix((static_cast<std::uint64_t>(step) << 40) + static_cast<std::uint64_t>(index)));
}

// In [-2^31, 2^31), with more bits than a float32 holds.
inline double real(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-21 - 0x1p31;
}

inline int bytes_of(thalweg_type type) {
  constexpr int bytes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
  return bytes[type];
}

// Integers are the low bits, which on a little-endian machine come first.
inline void store(std::uint64_t bits, thalweg_type type, void* place) {
  const double wide = real(bits);
  const auto narrow = static_cast<float>(wide);
  if (type == THALWEG_FLOAT64)
    std::memcpy(place, &wide, sizeof wide);
  else if (type == THALWEG_FLOAT32)
    std::memcpy(place, &narrow, sizeof narrow);
  else
    std::memcpy(place, &bits, static_cast<std::size_t>(bytes_of(type)));
}

}  // namespace conform
