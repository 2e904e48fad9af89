#include "forcing/blend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/numbers.hpp"

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
  blend({{lower.data()}, {upper.data()}, 0.3}, {{0, 4}}, field, reinterpret_cast<std::byte*>(out.data()));
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], static_cast<float>(double{a[i]} + 0.3 * (double{b[i]} - double{a[i]})));
}

// A column-major array with a gap, seen from its last column to its first.
TEST(Blend, writes_into_strides_of_any_sign_and_leaves_the_rest) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {3, 4, 5, 6, 7, 8};
  std::vector<float> out(12, -9.0F);
  const put::Field field{nullptr, Type::float32, {2, 3}, {4, -12}};
  const auto lower = bytes_of(a), upper = bytes_of(b);
  blend({{lower.data()}, {upper.data()}, 0.5}, {{1, 4}}, field, reinterpret_cast<std::byte*>(out.data() + 6));
  EXPECT_EQ(out, (std::vector<float>{4, -9, -9, 3, 6, -9, -9, 5, -9, -9, -9, -9}));
}

// What a get of a record gives: NaN is a value like others, unless the file says that it is missing.
TEST(Blend, gives_another_value_for_what_is_missing_and_nothing_else) {
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> a = {1.0F, 1e20F, infinite, 4.0F, none, 6.0F, -99.0F};
  const auto lower = bytes_of(a), upper = bytes_of({-99.0F, 2.0F, infinite, 5.0F, 3.0F, none, 1e20F});
  const MissingMarks both{{element_of(1e20F), element_of(-99.0F)}};
  const Between exact{{lower.data(), both}, {upper.data(), both}, 0.0, -1.0};
  for (const std::int64_t stride : {4, 8}) {
    const put::Field field{nullptr, Type::float32, {7}, {stride}};
    std::vector<float> out(14, -9.0F);
    const auto got = [&](const Between& between) {
      blend(between, {{0, 7}}, field, reinterpret_cast<std::byte*>(out.data()));
      std::vector<float> values;
      for (std::int64_t i = 0; i < 7; ++i) values.push_back(out[static_cast<std::size_t>(i * stride / 4)]);
      return bytes_of(values);
    };
    EXPECT_EQ(got(exact), bytes_of({1.0F, -1.0F, infinite, 4.0F, none, 6.0F, -1.0F}));
    Between half = exact;
    half.weight = 0.5;
    const auto values = got(half);
    EXPECT_EQ(loaded<float>(&values[0]), -1.0F);
    EXPECT_EQ(loaded<float>(&values[4]), -1.0F);
    EXPECT_TRUE(std::isnan(loaded<float>(&values[8])));  // infinity less infinity
    EXPECT_EQ(loaded<float>(&values[12]), 4.5F);
    EXPECT_TRUE(std::isnan(loaded<float>(&values[16])));
    EXPECT_TRUE(std::isnan(loaded<float>(&values[20])));
    EXPECT_EQ(loaded<float>(&values[24]), -1.0F);
    Between as_nan = exact;
    as_nan.instead = std::nullopt;
    EXPECT_EQ(got(as_nan), bytes_of({1.0F, none, infinite, 4.0F, none, 6.0F, none}));
    Between nan_is_missing = exact;
    nan_is_missing.lower.missing = {{element_of(-none)}};
    EXPECT_EQ(got(nan_is_missing), bytes_of({1.0F, 1e20F, infinite, 4.0F, -1.0F, 6.0F, -99.0F}));
  }
}

template <typename Number>
void expect_marks_that_a_get_puts(Type type) {
  read::InputVariable packed;
  packed.type = Type::int16;
  packed.packing = {0.5, 1.0, false, {element_of(std::int16_t{-32767}), element_of(std::int16_t{7})}};
  const MissingMarks marks = marks_of(packed, false, type);
  ASSERT_TRUE(marks.to_put());
  const std::vector<std::int16_t> stored = {2, -32767, 7, 8};
  std::vector<Number> held(4), out(4);
  const auto* from = reinterpret_cast<const std::byte*>(stored.data());
  read::convert({Type::int16, type, packed.packing, marks.to_put()}, {from, 8}, std::as_writable_bytes(std::span(held)),
                "here");
  held.push_back(static_cast<Number>(none));  // which is none of the marks
  out.push_back(0);
  blend({{reinterpret_cast<const std::byte*>(held.data()), marks}, {}, 0.0, -1.0}, {{0, 5}},
        {nullptr, type, {5}, {sizeof(Number)}}, reinterpret_cast<std::byte*>(out.data()));
  EXPECT_TRUE(std::isnan(out.back()));
  out.pop_back();
  EXPECT_EQ(out, (std::vector<Number>{2, -1, -1, 5}));
}

TEST(Blend, knows_what_a_get_has_put_in_place_of_missing_values) {
  expect_marks_that_a_get_puts<float>(Type::float32);
  expect_marks_that_a_get_puts<double>(Type::float64);
}

TEST(Blend, looks_for_the_marks_of_the_file_where_values_stay_as_they_are) {
  read::InputVariable plain;
  plain.type = Type::float32;
  plain.packing.missing = {element_of(1e20F), element_of(1e20F), element_of(-1.0F)};
  MissingMarks marks = marks_of(plain, false, Type::float32);
  EXPECT_FALSE(marks.to_put());
  EXPECT_EQ(marks.values, (std::vector<Element>{element_of(1e20F), element_of(-1.0F)}));
  EXPECT_TRUE(marks_of(plain, false, Type::float64).to_put());
  plain.packing.scale = 2.0;
  EXPECT_TRUE(marks_of(plain, false, Type::float32).to_put());
  EXPECT_FALSE(marks_of(plain, true, Type::float32).to_put());
}

TEST(Blend, copies_the_bits_of_any_type) {
  const std::vector<std::int16_t> held = {1, 2, 3};
  std::vector<std::int16_t> out(6, -9);
  const put::Field field{nullptr, Type::int16, {3}, {4}};
  copy(reinterpret_cast<const std::byte*>(held.data()), {{0, 1}, {2, 1}}, field,
       reinterpret_cast<std::byte*>(out.data()));
  EXPECT_EQ(out, (std::vector<std::int16_t>{1, -9, -9, -9, 3, -9}));
}

}  // namespace
}  // namespace thalweg::forcing
