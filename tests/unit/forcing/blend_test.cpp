#include "forcing/blend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace thalweg::forcing {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  return {first, first + values.size() * sizeof(float)};
}

TEST(Blend, finds_the_stretches_that_are_covered) {
  const std::vector<std::byte> covered = {std::byte{0}, std::byte{1}, std::byte{1}, std::byte{0}, std::byte{1}};
  EXPECT_EQ(stretches_of(covered), (std::vector<Stretch>{{1, 2}, {4, 1}}));
  EXPECT_TRUE(stretches_of({}).empty());
}

TEST(Blend, gives_what_lies_between_rounded_once) {
  const std::vector<float> a = {0.1F, 1.0F, 3.0F, -2.0F}, b = {0.3F, 1.0F, 7.0F, 2.0F};
  std::vector<float> out(4, -9.0F);
  const put::Field field{nullptr, Type::float32, {2, 2}, {8, 4}};
  const auto lower = bytes_of(a), upper = bytes_of(b);
  blend({lower.data(), upper.data(), 0.3, {}}, {{0, 4}}, field, reinterpret_cast<std::byte*>(out.data()));
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], static_cast<float>(double{a[i]} + 0.3 * (double{b[i]} - double{a[i]})));
}

// A column-major array with a gap, seen from its last column to its first.
TEST(Blend, writes_into_strides_of_any_sign_and_leaves_the_rest) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {3, 4, 5, 6, 7, 8};
  std::vector<float> out(12, -9.0F);
  const put::Field field{nullptr, Type::float32, {2, 3}, {4, -12}};
  const auto lower = bytes_of(a), upper = bytes_of(b);
  blend({lower.data(), upper.data(), 0.5, {}}, {{1, 4}}, field, reinterpret_cast<std::byte*>(out.data() + 6));
  EXPECT_EQ(out, (std::vector<float>{4, -9, -9, 3, 6, -9, -9, 5, -9, -9, -9, -9}));
}

TEST(Blend, is_the_lower_record_at_its_time_and_gives_another_value_for_nan) {
  const float infinite = std::numeric_limits<float>::infinity();
  const auto lower = bytes_of({1.0F, none, infinite, 4.0F}), upper = bytes_of({none, 2.0F, 3.0F, 5.0F});
  const put::Field field{nullptr, Type::float32, {4}, {4}};
  std::vector<float> out(4, -9.0F);
  auto* to = reinterpret_cast<std::byte*>(out.data());
  blend({lower.data(), upper.data(), 0.0, -1.0}, {{0, 4}}, field, to);
  EXPECT_EQ(out, (std::vector<float>{1.0F, -1.0F, infinite, 4.0F}));
  blend({lower.data(), upper.data(), 0.5, -1.0}, {{0, 4}}, field, to);
  EXPECT_EQ(out, (std::vector<float>{-1.0F, -1.0F, -1.0F, 4.5F}));  // infinity less infinity is NaN
  blend({lower.data(), upper.data(), 0.5, {}}, {{0, 1}}, field, to);
  EXPECT_TRUE(std::isnan(out[0]));
}

TEST(Blend, copies_the_bits_of_any_type) {
  const std::vector<std::int16_t> held = {1, 2, 3};
  std::vector<std::int16_t> out(6, -9);
  const put::Field field{nullptr, Type::int16, {3}, {4}};
  blend({reinterpret_cast<const std::byte*>(held.data()), nullptr, 0.0, {}}, {{0, 1}, {2, 1}}, field,
        reinterpret_cast<std::byte*>(out.data()));
  EXPECT_EQ(out, (std::vector<std::int16_t>{1, -9, -9, -9, 3, -9}));
}

}  // namespace
}  // namespace thalweg::forcing
