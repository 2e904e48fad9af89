// The value of every point, so that a file can be checked without a second file: a whole number below 2^24, which
// float32 holds exactly. driver/verify.py has the same formula.
#pragma once

#include <cstdint>

namespace bench {

inline std::uint32_t formula_base(std::uint32_t variable, std::uint32_t record) {
  return variable * 2246822519u + record * 3266489917u;
}

// index: position in the global array of one record, last dimension fastest. The cast to a signed number lets the
// compiler convert whole vectors.
inline float formula(std::uint32_t base, std::uint32_t index) {
  return static_cast<float>(static_cast<std::int32_t>((base + index * 2654435761u) >> 8));
}

}  // namespace bench
