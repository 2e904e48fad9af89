#include "transform/quantize.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <numbers>

namespace thalweg::transform {
namespace {

template <typename Float>
struct Layout;
template <>
struct Layout<float> {
  using Bits = std::uint32_t;
  static constexpr int explicit_bits = 23;
};
template <>
struct Layout<double> {
  using Bits = std::uint64_t;
  static constexpr int explicit_bits = 52;
};
template <typename Float>
using FloatBits = typename Layout<Float>::Bits;

constexpr int explicit_bits = Layout<double>::explicit_bits;
constexpr std::uint64_t one = std::uint64_t{1} << explicit_bits;  // a double's fraction lies below it

// Rounds to the nearest value whose last bits, as many as `zeros` says, are zero; the carry may reach the exponent.
//
// Where netCDF-C rounds an infinity, a NaN or negative zero by digits, or a float32 that would need more bits for 7
// digits than it has, C does not define what its conversions and shifts give. x86-64 defines it: a shift uses the last
// bits of its count. Here the same is said in so many words, so that files do not depend on who rounded. It turns
// infinities and NaN into zeros, and 1.0F into 2.0F for 7 digits.
template <typename Bits>
[[gnu::always_inline]] inline Bits rounded(Bits bits, int zeros) {
  const Bits mask = ~Bits{0} << (static_cast<unsigned>(zeros) % (8 * sizeof(Bits)));
  const Bits half = ~mask & (mask >> 1);
  return (bits + half) & mask;
}

// A fill value is known by its value, as in netCDF-C, or by its bits: otherwise NaN could not be one.
template <typename Float>
struct Fill {
  Float value;
  FloatBits<Float> bits;
  bool is(FloatBits<Float> other) const { return (std::bit_cast<Float>(other) == value) | (other == bits); }
};

template <typename Float>
Fill<Float> fill_of(Element element) {
  Float value;
  std::memcpy(&value, element.data(), sizeof value);
  return {value, std::bit_cast<FloatBits<Float>>(value)};
}

// Replaces each element's bits by what `change` makes of them.
template <typename Float, typename Change>
[[gnu::always_inline]] inline void for_each(std::span<std::byte> values, Fill<Float> fill, Change&& change) {
  for (std::size_t i = 0; i + sizeof(Float) <= values.size(); i += sizeof(Float)) {
    FloatBits<Float> bits;
    std::memcpy(&bits, values.data() + i, sizeof bits);
    bits = fill.is(bits) ? bits : change(bits);
    std::memcpy(values.data() + i, &bits, sizeof bits);
  }
}

template <typename Float>
void bit_round(std::span<std::byte> values, int keep, Fill<Float> fill) {
  const int zeros = Layout<Float>::explicit_bits - keep;
  for_each(values, fill, [zeros](FloatBits<Float> bits) { return rounded(bits, zeros); });
}

// --- Granular BitRound: how many explicit bits a value needs for so many digits (Delaunay et al. 2019, equations 7
// and 8, as netCDF-C computes them: the order of operations decides values next to powers of ten).

constexpr double bits_per_digit = std::numbers::ln10 / std::numbers::ln2;
constexpr double digits_per_bit = std::numbers::ln2 / std::numbers::ln10;

struct Logarithm {
  int exponent;     // of 2
  double mantissa;  // logarithm to base 10 of what is left, from 0.5 to 1
};

Logarithm logarithm_of(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return {exponent, std::log10(std::abs(mantissa))};
}

int digits_before_point(Logarithm log) {
  return static_cast<int>(std::floor(log.exponent * digits_per_bit + log.mantissa)) + 1;
}

int bits_by_formula(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return -1;
  const Logarithm log = logarithm_of(value);
  const int last = static_cast<int>(std::floor(bits_per_digit * (digits_before_point(log) - digits)));
  const int first = static_cast<int>(std::floor(log.exponent - bits_per_digit * log.mantissa));
  return std::abs(first - last) - 1;
}

// The answers of the formula for all normal doubles of one exponent. Between a power of two and the next, the formula
// sees at most one power of ten, the boundary, from where values have one more digit before the point; apart from
// that, only the power of two itself may differ. Both floors are of a sum in which nothing but the logarithm depends on
// the fraction, so that the formula is uncertain about a boundary only as far as rounding the sum and log10's own
// error (below 2 units) reach: 5 units of the fraction at the power of ten, and 2^52 * 2^-43 * ln 2 = 355 above
// a power of two. Fractions nearer than margin to either are left to the formula.
struct Octave {
  std::uint64_t boundary = one;          // fraction; one: no power of ten here
  std::array<std::int8_t, 3> bits = {};  // at the power of two, below the boundary, above it
};
constexpr std::uint64_t margin = 4096;

double value_of(std::uint64_t exponent, std::uint64_t fraction) {
  return std::bit_cast<double>(exponent << explicit_bits | std::min(fraction, one - 1));
}

std::uint64_t find_boundary(std::uint64_t exponent) {
  const auto digits = [exponent](std::uint64_t fraction) {
    return digits_before_point(logarithm_of(value_of(exponent, fraction)));
  };
  const int least = digits(0);
  std::uint64_t below = 0, above = one;
  if (digits(one - 1) == least) return one;
  while (above - below > 1) {
    const std::uint64_t middle = (below + above) / 2;
    (digits(middle) == least ? below : above) = middle;
  }
  return above;
}

class BitsForDigits {
 public:
  explicit BitsForDigits(int digits) : digits_(digits) {
    for (std::uint64_t e = 1; e < octaves_.size() - 1; ++e) {
      Octave& octave = octaves_[e];
      octave.boundary = find_boundary(e);
      const std::uint64_t below = std::max(octave.boundary, 2 * margin) - 2 * margin;
      const auto bits = [&](std::uint64_t f) {
        return static_cast<std::int8_t>(bits_by_formula(value_of(e, f), digits));
      };
      octave.bits = {bits(0), bits(below), bits(octave.boundary + 2 * margin)};
    }
  }

  [[gnu::always_inline]] int operator()(double value) const {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t exponent = (bits >> explicit_bits) & 0x7ff, fraction = bits & (one - 1);
    const Octave& octave = octaves_[exponent];
    const bool is_special = exponent - 1 >= octaves_.size() - 2;
    const bool is_near = fraction <= margin || fraction - octave.boundary + margin <= 2 * margin;
    if (is_special || (is_near && fraction != 0)) [[unlikely]]
      return bits_by_formula(value, digits_);
    return octave.bits[static_cast<std::size_t>(fraction != 0) + (fraction >= octave.boundary)];
  }

 private:
  int digits_;
  std::array<Octave, 2048> octaves_;  // by a double's exponent field
};

// Made when first needed: it takes the formula some milliseconds.
const BitsForDigits& bits_for_digits(int digits) {
  static std::array<std::once_flag, 16> once;
  static std::array<std::unique_ptr<const BitsForDigits>, 16> tables;
  const auto i = static_cast<std::size_t>(digits);
  std::call_once(once[i], [&] { tables[i] = std::make_unique<const BitsForDigits>(digits); });
  return *tables[i];
}

template <typename Float>
void granular_bit_round(std::span<std::byte> values, int keep, Fill<Float> fill) {
  const BitsForDigits& bits_for = bits_for_digits(keep);
  for_each(values, fill, [&bits_for](FloatBits<Float> bits) {
    const int needed = bits_for(std::bit_cast<Float>(bits));
    return rounded(bits, Layout<Float>::explicit_bits - needed);
  });
}

template <typename Float>
void quantize_as(std::span<std::byte> values, const Quantization& quantization, Element fill) {
  if (quantization.mode == Quantization::Mode::bit_round)
    bit_round(values, quantization.keep, fill_of<Float>(fill));
  else
    granular_bit_round(values, quantization.keep, fill_of<Float>(fill));
}

}  // namespace

void quantize(std::span<std::byte> values, Type type, const Quantization& quantization, Element fill, bool has_fill) {
  if (quantization.mode == Quantization::Mode::none) return;
  const int most = most_kept(quantization.mode, type);
  if (most == 0) fail(THALWEG_ERROR_ARGUMENT, "{} values cannot be rounded; float32 and float64 can", name_of(type));
  if (quantization.keep < 1 || quantization.keep > most)
    fail(THALWEG_ERROR_ARGUMENT, "{} {} of a {} cannot be kept; 1 to {} can", quantization.keep,
         quantization.mode == Quantization::Mode::bit_round ? "bits" : "digits", name_of(type), most);
  const Element untouched = has_fill ? fill : default_fill(type);
  if (type == Type::float32)
    quantize_as<float>(values, quantization, untouched);
  else
    quantize_as<double>(values, quantization, untouched);
}

}  // namespace thalweg::transform
