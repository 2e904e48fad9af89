#include "netcdf/values.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <span>

#include "error_of.hpp"

namespace thalweg::netcdf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename Number>
constexpr Type type_of() {
  if constexpr (std::is_same_v<Number, double>) return Type::float64;
  if constexpr (std::is_same_v<Number, float>) return Type::float32;
  if constexpr (std::is_same_v<Number, std::int64_t>) return Type::int64;
  if constexpr (std::is_same_v<Number, std::int32_t>) return Type::int32;
  if constexpr (std::is_same_v<Number, std::uint8_t>) return Type::uint8;
  return Type::character;
}

template <typename Number>
put::Field field(const std::vector<Number>& values, const Index& extent) {
  return {reinterpret_cast<const std::byte*>(values.data()), type_of<Number>(), extent,
          contiguous_strides(extent, sizeof(Number))};
}

template <typename Number>
std::vector<Number> numbers(const Values& values) {
  std::vector<Number> all(static_cast<std::size_t>(values.field.extent.product()));
  std::memcpy(all.data(), values.bytes.get(), all.size() * sizeof(Number));
  return all;
}

TEST(NetcdfBox, is_what_start_and_count_say) {
  const Index shape{-1, 5, 7};
  EXPECT_EQ(box_of(Index{3, 1, 2}, Index{1, 2, 4}, Index{2, 4}, shape, ""), (Box{{3, 1, 2}, {1, 2, 4}}));
  EXPECT_EQ(box_of(std::nullopt, std::nullopt, Index{5, 7}, shape, ""), (Box{{0, 0, 0}, {1, 5, 7}}));
  EXPECT_EQ(box_of(Index{2, 0, 0}, std::nullopt, Index{}, shape, ""), (Box{{2, 0, 0}, {1, 1, 1}}));
  EXPECT_EQ(box_of(Index{4}, Index{3}, Index{3}, shape, ""), (Box{{0, 0, 4}, {1, 1, 3}}));
  EXPECT_EQ(box_of(Index{9, 2, 1, 2}, Index{9, 1, 3, 2}, Index{3, 2}, shape, ""), (Box{{2, 1, 2}, {1, 3, 2}}));
  EXPECT_EQ(box_of(Index{0}, Index{0}, Index{1}, {}, ""), Box{});
  EXPECT_EQ(box_of(std::nullopt, Index{0, 5, 7}, Index{0}, shape, ""), (Box{{0, 0, 0}, {0, 5, 7}}));
}

TEST(NetcdfBox, is_within_the_variable) {
  const Index shape{-1, 5, 7};
  EXPECT_THAT(
      error_of(THALWEG_ERROR_SHAPE, [&] { box_of(Index{9, 1, 2}, Index{1, 5, 4}, Index{5, 4}, shape, "temp"); }),
      HasSubstr("temp: start (9, 1, 2) with count (1, 5, 4) is not within the variable's extents (-1, 5, 7)"));
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { box_of(Index{-1, 0, 0}, std::nullopt, Index{5, 7}, shape, "temp"); }),
              HasSubstr("begins before the first element"));
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(
      error_of(THALWEG_ERROR_SHAPE, [&] { box_of(Index{0, 0, far}, std::nullopt, Index{5, 7}, shape, "temp"); }),
      HasSubstr("is not within"));
}

TEST(NetcdfArray, is_seen_with_the_dimensions_of_the_box) {
  const std::vector<std::int32_t> values(60);
  put::Field section = field(values, {4, 5});
  section.stride = {60, 8};
  const put::Field seen = viewed_as(section, {1, 4, 1, 5}, "");
  EXPECT_EQ(seen.stride[1], 60);
  EXPECT_EQ(seen.stride[3], 8);
  EXPECT_EQ(seen.extent, (Index{1, 4, 1, 5}));
  const put::Field buffer = viewed_as(field(values, {60}), {4, 5}, "");
  EXPECT_EQ(buffer.stride, (Index{20, 4}));
  EXPECT_EQ(viewed_as(field(values, {1, 1}), {}, "").extent, Index{});
}

TEST(NetcdfArray, is_not_taken_for_a_box_of_another_shape) {
  const std::vector<std::int32_t> values(60);
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { viewed_as(field(values, {5, 4}), {4, 5}, "temp"); }),
              HasSubstr("temp: an array of (5, 4) elements for a count of (4, 5)"));
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { viewed_as(field(values, {19}), {4, 5}, "temp"); }),
              HasSubstr("(19) elements"));
  put::Field gaps = field(values, {20});
  gaps.stride = {8};
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { viewed_as(gaps, {4, 5}, "temp"); }), HasSubstr("(20) elements"));
}

TEST(NetcdfValues, are_converted_as_netcdf_does) {
  const std::vector<double> reals{1.9, -1.9, 0.0, 2147483647.5};
  EXPECT_THAT(numbers<std::int32_t>(converted(field(reals, {2, 2}), Type::int32, "")),
              ElementsAre(1, -1, 0, 2147483647));
  const std::vector<std::int64_t> wholes{0, 255, 7};
  EXPECT_THAT(numbers<std::uint8_t>(converted(field(wholes, {3}), Type::uint8, "")), ElementsAre(0, 255, 7));
  EXPECT_THAT(numbers<float>(converted(field(wholes, {3}), Type::float32, "")), ElementsAre(0.0F, 255.0F, 7.0F));
}

TEST(NetcdfValues, that_the_type_cannot_hold_are_refused) {
  const auto refused = [](auto value, Type type) {
    return error_of(THALWEG_ERROR_SHAPE, [&] { converted(field(std::vector{value}, {1}), type, "count"); });
  };
  EXPECT_THAT(refused(std::int64_t{256}, Type::uint8),
              HasSubstr("count: 256 cannot be held by the variable's type uint8; it is the element "));
  EXPECT_THAT(refused(std::int64_t{-1}, Type::uint64), HasSubstr("-1 cannot be held"));
  EXPECT_THAT(refused(2147483648.0, Type::int32), HasSubstr("cannot be held"));
  EXPECT_THAT(refused(9.3e18, Type::int64), HasSubstr("cannot be held"));
  EXPECT_THAT(refused(std::numeric_limits<double>::quiet_NaN(), Type::int32), HasSubstr("cannot be held"));
  EXPECT_EQ(refused(-9223372036854775808.0, Type::int64), "no error");
  EXPECT_EQ(refused(-0.9, Type::uint8), "no error");
  EXPECT_THAT(refused('a', Type::int8), HasSubstr("text and numbers do not become each other"));
}

TEST(NetcdfValues, of_text_are_lengthened_by_zeros) {
  const std::vector<char> text{'a', 'b', 'c', 'd'};
  const Values longer = lengthened(field(text, {2, 2}), 3);
  EXPECT_THAT(numbers<char>(longer), ElementsAre('a', 'b', '\0', 'c', 'd', '\0'));
  EXPECT_EQ(longer.field.extent, (Index{2, 3}));
}

}  // namespace
}  // namespace thalweg::netcdf
