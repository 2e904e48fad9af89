// Rounding against netCDF-C itself: nc_def_var_quantize in a file in memory, bit for bit.
#include "transform/quantize.hpp"

#include <gtest/gtest.h>
#include <netcdf.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "sanitized.hpp"

namespace thalweg::transform {
namespace {

using Mode = Quantization::Mode;

template <typename Float>
using BitsOf = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

template <typename Float>
constexpr Type type_of = sizeof(Float) == 4 ? Type::float32 : Type::float64;

template <typename Float>
constexpr Float default_fill_value = static_cast<Float>(NC_FILL_DOUBLE);

template <typename Float>
std::vector<BitsOf<Float>> bits_of(const std::vector<Float>& values) {
  std::vector<BitsOf<Float>> bits;
  for (const Float value : values) bits.push_back(std::bit_cast<BitsOf<Float>>(value));
  return bits;
}

// A value and its neighbours, of both signs.
template <typename Float>
void add_around(std::vector<Float>& values, Float value) {
  for (const Float near : {value, std::nextafter(value, Float{0}), std::nextafter(value, value * 2)}) {
    values.push_back(near);
    values.push_back(-near);
  }
}

template <typename Float>
std::vector<Float> special_values() {
  using Limits = std::numeric_limits<Float>;
  std::vector<Float> values = {0,
                               default_fill_value<Float>,
                               Float{-0.0},
                               Limits::infinity(),
                               -Limits::infinity(),
                               Limits::quiet_NaN(),
                               -Limits::quiet_NaN()};
  const auto ones = std::bit_cast<Float>(static_cast<BitsOf<Float>>(~BitsOf<Float>{0}));  // a NaN that a carry leaves
  values.push_back(ones);
  for (const Float value : {Limits::min(), Limits::max(), Limits::denorm_min(), Limits::min() / 3})
    add_around(values, value);
  for (int e = Limits::min_exponent10 - 5; e <= Limits::max_exponent10; ++e)
    add_around(values, static_cast<Float>(std::pow(10.0L, e)));
  for (int e = Limits::min_exponent - 5; e < Limits::max_exponent; ++e) add_around(values, std::ldexp(Float{1}, e));
  return values;
}

// Special values, values that a model has, and all magnitudes there are.
template <typename Float>
std::vector<Float> sample_values(std::size_t count) {
  std::vector<Float> values = special_values<Float>();
  std::mt19937_64 random(7);
  std::lognormal_distribution<Float> model(0, 4);
  while (values.size() < count) {
    values.push_back(std::bit_cast<Float>(static_cast<BitsOf<Float>>(random())));
    values.push_back(model(random));
  }
  return values;
}

int netcdf_mode(Mode mode) {
  return mode == Mode::bit_round ? NC_QUANTIZE_BITROUND : NC_QUANTIZE_GRANULARBR;
}

void check(int status) {
  ASSERT_EQ(status, NC_NOERR) << nc_strerror(status);
}

// What netCDF-C makes of values. Without a fill value of its own the variable has netCDF's default.
template <typename Float>
std::vector<Float> rounded_by_netcdf(const std::vector<Float>& values, Mode mode, int keep, const Float* fill) {
  int file = -1, dimension = -1, variable = -1;
  check(nc_create("rounded", NC_NETCDF4 | NC_DISKLESS, &file));
  check(nc_def_dim(file, "x", values.size(), &dimension));
  check(nc_def_var(file, "v", sizeof(Float) == 4 ? NC_FLOAT : NC_DOUBLE, 1, &dimension, &variable));
  if (fill != nullptr) check(nc_def_var_fill(file, variable, NC_FILL, fill));
  check(nc_def_var_quantize(file, variable, netcdf_mode(mode), keep));
  check(nc_put_var(file, variable, values.data()));
  std::vector<Float> result(values.size());
  check(nc_get_var(file, variable, result.data()));
  check(nc_close(file));
  return result;
}

template <typename Float>
std::vector<Float> rounded(std::vector<Float> values, Mode mode, int keep, const Float* fill) {
  quantize(std::as_writable_bytes(std::span(values)), type_of<Float>, {mode, keep},
           fill != nullptr ? element_of(*fill) : Element{}, fill != nullptr);
  return values;
}

template <typename Float>
void expect_as_in_netcdf(const std::vector<Float>& values, Mode mode, int keep, const Float* fill) {
  const auto got = bits_of(rounded(values, mode, keep, fill));
  const auto wanted = bits_of(rounded_by_netcdf(values, mode, keep, fill));
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(got[i], wanted[i]) << values[i] << " rounded by " << (mode == Mode::bit_round ? "bits" : "digits")
                                 << ", keeping " << keep;
}

template <typename Float>
class Quantize : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Quantize, Floats);

TYPED_TEST(Quantize, is_that_of_netcdf_for_any_value_and_precision) {
  const std::vector<TypeParam> values = sample_values<TypeParam>(sanitized::fewer(100'000));
  for (const Mode mode : {Mode::bit_round, Mode::granular_bit_round})
    for (int keep = 1; keep <= most_kept(mode, type_of<TypeParam>); ++keep) {
      expect_as_in_netcdf<TypeParam>(values, mode, keep, nullptr);
      if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(Quantize, leaves_the_fill_value_as_netcdf_does) {
  for (const TypeParam fill : {TypeParam{-999.123456789}, TypeParam{1e20}, TypeParam{0}}) {
    std::vector<TypeParam> values = {fill, default_fill_value<TypeParam>, std::nextafter(fill, TypeParam{1e30}), -fill};
    for (const Mode mode : {Mode::bit_round, Mode::granular_bit_round}) {
      expect_as_in_netcdf(values, mode, 2, &fill);
      const auto result = rounded(values, mode, 2, &fill);
      EXPECT_EQ(result[0], fill);
      if (mode == Mode::bit_round) EXPECT_NE(result[1], default_fill_value<TypeParam>);
    }
  }
}

// Here netCDF-C is not followed: it would make zeros of them.
TYPED_TEST(Quantize, leaves_fill_values_that_are_not_a_number) {
  const TypeParam fill = std::numeric_limits<TypeParam>::quiet_NaN();
  const std::vector<TypeParam> values = {fill, 1.2345678, fill};
  const auto result = bits_of(rounded(values, Mode::granular_bit_round, 2, &fill));
  EXPECT_EQ(result[0], bits_of(values)[0]);
  EXPECT_NE(result[1], bits_of(values)[1]);
  EXPECT_EQ(result[2], bits_of(values)[2]);
}

TYPED_TEST(Quantize, needs_no_alignment_and_takes_no_values_too) {
  const std::vector<TypeParam> values = sample_values<TypeParam>(1001);
  const std::size_t bytes = values.size() * sizeof(TypeParam);
  std::vector<std::byte> memory(bytes + 1);
  std::memcpy(memory.data() + 1, values.data(), bytes);
  const Quantization quantization{Mode::granular_bit_round, 3};
  quantize(std::span(memory).subspan(1), type_of<TypeParam>, quantization, {}, false);
  const auto wanted = rounded<TypeParam>(values, Mode::granular_bit_round, 3, nullptr);
  EXPECT_EQ(std::memcmp(memory.data() + 1, wanted.data(), bytes), 0);
  quantize({}, type_of<TypeParam>, quantization, {}, false);
}

TYPED_TEST(Quantize, keeps_as_many_digits_as_it_says) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<TypeParam> distribution(-1000, 1000);
  std::vector<TypeParam> values(10000);
  for (TypeParam& value : values) value = distribution(random);
  for (int digits = 1; digits <= 6; ++digits) {
    const auto result = rounded<TypeParam>(values, Mode::granular_bit_round, digits, nullptr);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_LE(std::abs(result[i] / values[i] - 1), 0.5 * std::pow(10, 1 - digits)) << values[i];
  }
}

TYPED_TEST(Quantize, changes_nothing_in_mode_none) {
  const std::vector<TypeParam> values = sample_values<TypeParam>(1000);
  EXPECT_EQ(bits_of(rounded<TypeParam>(values, Mode::none, 0, nullptr)), bits_of(values));
}

TYPED_TEST(Quantize, refuses_a_precision_that_netcdf_refuses) {
  for (const Mode mode : {Mode::bit_round, Mode::granular_bit_round})
    for (const int keep : {0, most_kept(mode, type_of<TypeParam>) + 1})
      EXPECT_THROW(rounded<TypeParam>({1}, mode, keep, nullptr), Error);
}

TEST(Quantization, is_refused_for_integers) {
  std::vector<std::byte> values(8);
  EXPECT_THROW(quantize(values, Type::int32, {Mode::bit_round, 3}, {}, false), Error);
  quantize(values, Type::int32, {}, {}, false);
}

}  // namespace
}  // namespace thalweg::transform
