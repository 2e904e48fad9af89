// Lossy rounding of floating-point values, so that they compress better: the results of netCDF-C 4.9.0's
// nc_def_var_quantize, bit for bit.
#pragma once

#include <cstddef>
#include <span>

#include "base/types.hpp"

namespace thalweg::transform {

struct Quantization {
  enum class Mode {
    none,
    bit_round,           // keeps `keep` explicit bits of the significand
    granular_bit_round,  // keeps as many bits as each value needs for `keep` significant decimal digits
  };
  Mode mode = Mode::none;
  int keep = 0;
};

// What `keep` may be at most; the least is 1. Zero for types that cannot be rounded.
constexpr int most_kept(Quantization::Mode mode, Type type) {
  if (type != Type::float32 && type != Type::float64) return 0;
  if (mode == Quantization::Mode::bit_round) return type == Type::float32 ? 23 : 52;
  return type == Type::float32 ? 7 : 15;
}

// Rounds values in place; they are in host order and need no alignment. Fill values stay as they are: `fill`, or the
// default fill value if has_fill is false, as in netCDF-C. Infinities and NaN are rounded as netCDF-C rounds them: see
// quantize.cpp for what that makes of them. Fails for other types than float32 and float64 unless mode is none.
void quantize(std::span<std::byte> values, Type type, const Quantization& quantization, Element fill, bool has_fill);

}  // namespace thalweg::transform
