#include "transform/stored_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace thalweg::transform {
namespace {

template <typename From, typename To>
bool stored(Type from, const std::vector<From>& values, Type to, std::vector<To>& made, const Packing& packing = {},
            To fill = 0) {
  made.resize(values.size());
  return store_values(from, std::as_bytes(std::span(values)).data(), to, std::as_writable_bytes(std::span(made)).data(),
                      std::ssize(values), packing, std::as_bytes(std::span(&fill, 1)).data());
}

template <typename From, typename To>
void expect_packed_as_by_hand(Type from, Type to) {
  constexpr Packing packing{0.013, 271.25};
  constexpr To fill = std::numeric_limits<To>::max();
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> within(0.0, 120.0);  // what the smallest type holds, in packed numbers
  std::vector<From> values;
  for (int i = 0; i < 1003; ++i) values.push_back(static_cast<From>(within(random) * packing.scale + packing.offset));
  for (int i = 0; i < 100; ++i) values.push_back(static_cast<From>((i + 0.5) * packing.scale + packing.offset));
  values[7] = std::numeric_limits<From>::quiet_NaN();
  std::vector<To> made;
  EXPECT_TRUE(stored(from, values, to, made, packing, fill));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double whole = std::nearbyint((static_cast<double>(values[i]) - packing.offset) / packing.scale);
    EXPECT_EQ(made[i], i == 7 ? fill : static_cast<To>(whole)) << values[i];
  }
}

TEST(StoredValues, reals_are_packed_to_the_nearest_integer_and_missing_ones_are_fill) {
  expect_packed_as_by_hand<float, std::int8_t>(Type::float32, Type::int8);
  expect_packed_as_by_hand<double, std::int16_t>(Type::float64, Type::int16);
  expect_packed_as_by_hand<float, std::uint16_t>(Type::float32, Type::uint16);
  expect_packed_as_by_hand<double, std::int32_t>(Type::float64, Type::int32);
  expect_packed_as_by_hand<double, std::uint32_t>(Type::float64, Type::uint32);
  expect_packed_as_by_hand<double, std::int64_t>(Type::float64, Type::int64);
}

TEST(StoredValues, the_ends_of_a_type_fit_and_what_lies_beyond_does_not) {
  std::vector<std::int16_t> small;
  EXPECT_TRUE(stored<double>(Type::float64, {32767.0, -32768.0, 32767.4}, Type::int16, small));
  EXPECT_EQ(small, (std::vector<std::int16_t>{32767, -32768, 32767}));
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double beyond : {32767.5, -32769.0, 1e300, infinite, -infinite})
    EXPECT_FALSE(stored<double>(Type::float64, {1.0, beyond, 2.0}, Type::int16, small)) << beyond;
  EXPECT_FALSE(stored<double>(Type::float64, {1.0, 5.0}, Type::int16, small, {}, std::int16_t{5})) << "the fill value";
  std::vector<std::uint32_t> large;
  EXPECT_TRUE(stored<double>(Type::float64, {4294967295.0}, Type::uint32, large));
  EXPECT_EQ(large[0], 4294967295U);
  std::vector<std::int64_t> largest;
  EXPECT_FALSE(stored<double>(Type::float64, {9.3e18}, Type::int64, largest));
}

TEST(StoredValues, integers_are_taken_where_they_fit) {
  std::vector<std::int32_t> made;
  EXPECT_TRUE((stored<std::int64_t>(Type::int64, {2147483647, -2147483648}, Type::int32, made)));
  EXPECT_EQ(made, (std::vector<std::int32_t>{2147483647, std::numeric_limits<std::int32_t>::min()}));
  EXPECT_FALSE((stored<std::int64_t>(Type::int64, {1, 2147483648}, Type::int32, made)));
  std::vector<std::uint8_t> bytes;
  EXPECT_FALSE((stored<std::int8_t>(Type::int8, {-1}, Type::uint8, bytes)));
  std::vector<float> reals;
  EXPECT_TRUE((stored<std::int32_t>(Type::int32, {16777217}, Type::float32, reals)));
  EXPECT_EQ(reals[0], 16777216.0F);
}

}  // namespace
}  // namespace thalweg::transform
