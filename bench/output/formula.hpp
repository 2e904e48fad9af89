// The value of every point, so that a file can be checked without a second file: a whole number below 2^24, which
// float32 holds exactly. driver/formula.py has the same formulas.
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

// ---- smooth values

// Two arcs of a parabola, up and down: a sine made of whole numbers. A period is 2^16; values are within +-2^15.
inline std::int32_t wave(std::int32_t phase) {
  const std::int32_t along = phase & 32767;
  const std::int32_t arc = (along * (32768 - along)) >> 13;
  return (phase & 32768) != 0 ? -arc : arc;
}

// Eight bits in which zstd and deflate find nothing.
inline std::int32_t noise(std::uint32_t base, std::uint32_t index) {
  std::uint32_t bits = (base + index) * 2654435761u;
  bits = (bits ^ (bits >> 15)) * 2246822519u;
  return static_cast<std::int32_t>((bits ^ (bits >> 13)) >> 24);
}

// Waves along x and y that turn from level to level and from variable to variable.
struct SmoothFormula {
  std::uint32_t base;   // formula_base of the variable and record
  std::int32_t x_step;  // of the phase, from cell to cell
  std::int32_t y_step;

  SmoothFormula(std::uint32_t of, int nx, int ny) : base(of), x_step(65536 * 3 / nx), y_step(65536 * 2 / ny) {}

  // A number in [2^23, 2^24): all 23 bits of the significand are in use, and the lowest eight are noise, as in a
  // model's temperature in kelvin. index: as above.
  float value(int level, int y, int x, std::uint32_t index) const {
    const auto shift = static_cast<std::int32_t>(base >> 16) + 500 * level;
    const std::int32_t product = wave(x * x_step + 7 * y + shift) * wave(y * y_step + shift) >> 15;
    return static_cast<float>((3 << 22) + product * 64 + noise(base, index));
  }
};

}  // namespace bench
