#include "formats/zarr/values.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "../../support/zarr_sample.hpp"

namespace thalweg::formats::zarr {
namespace {

using zarr_sample::numbers;
using zarr_sample::text;

std::string written(const catalog::Attribute& attribute) {
  return zarr_attributes({attribute}).begin().value().dump();
}

template <typename T>
std::string fill(Type type, T value) {
  return zarr_fill_value({.name = "v",
                          .type = type,
                          .dimensions = {},
                          .attributes = {numbers<T>("_FillValue", type, {value})},
                          .chunk = {}})
      .dump();
}

TEST(ZarrValues, keep_numbers_of_every_type) {
  EXPECT_EQ(written(numbers<std::int8_t>("a", Type::int8, {-128})), "-128");
  EXPECT_EQ(written(numbers<std::uint8_t>("a", Type::uint8, {255})), "255");
  EXPECT_EQ(written(numbers<std::int16_t>("a", Type::int16, {-32768})), "-32768");
  EXPECT_EQ(written(numbers<std::uint16_t>("a", Type::uint16, {65535})), "65535");
  EXPECT_EQ(written(numbers<std::int32_t>("a", Type::int32, {-5})), "-5");
  EXPECT_EQ(written(numbers<std::uint32_t>("a", Type::uint32, {4294967295U})), "4294967295");
  EXPECT_EQ(written(numbers<std::int64_t>("a", Type::int64, {std::numeric_limits<std::int64_t>::min()})),
            "-9223372036854775808");
  EXPECT_EQ(written(numbers<std::uint64_t>("a", Type::uint64, {~0ULL})), "18446744073709551615");
  EXPECT_EQ(written(numbers<float>("a", Type::float32, {0.1F})), "0.10000000149011612");
  EXPECT_EQ(written(numbers<double>("a", Type::float64, {0.1})), "0.1");
}

TEST(ZarrValues, are_a_list_unless_there_is_one) {
  EXPECT_EQ(written(numbers<std::int32_t>("a", Type::int32, {1, 2})), "[1,2]");
  EXPECT_EQ(written(numbers<std::int32_t>("a", Type::int32, {})), "[]");
}

TEST(ZarrValues, say_in_words_what_json_has_no_number_for) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(written(numbers<double>("a", Type::float64, {nan, infinity, -infinity, 1})),
            R"(["NaN","Infinity","-Infinity",1.0])");
}

TEST(ZarrValues, take_text_that_is_not_utf8_as_latin1) {
  EXPECT_EQ(as_utf8("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(as_utf8("caf\xe9"), "caf\xc3\xa9");
  EXPECT_EQ(written(text("units",
                         "\xb0"
                         "C")),
            "\"\xc2\xb0"
            "C\"");
}

TEST(ZarrValues, encode_a_floating_fill_value_attribute_as_base64) {
  EXPECT_EQ(written(numbers<float>("_FillValue", Type::float32, {1e20F})), R"("AAAAgB2vFUQ=")");
  EXPECT_EQ(written(numbers<double>("_FillValue", Type::float64, {std::bit_cast<double>(0x7ff8000000000000U)})),
            R"("AAAAAAAA+H8=")");
  EXPECT_EQ(written(numbers<std::int32_t>("_FillValue", Type::int32, {-5})), "-5");
}

TEST(ZarrValues, keep_characters_as_zarr_python_does) {
  catalog::Variable letters{
      .name = "v", .type = Type::character, .dimensions = {}, .attributes = {text("units", "")}, .chunk = {}};
  EXPECT_EQ(zarr_data_type(letters.type).dump(),
            R"({"name":"null_terminated_bytes","configuration":{"length_bytes":1}})");
  EXPECT_EQ(zarr_data_type(Type::int8), "int8");
  EXPECT_EQ(zarr_fill_value(letters), "");
  letters.attributes.push_back(text("_FillValue", "x"));
  EXPECT_EQ(zarr_fill_value(letters), "eA==");
  EXPECT_EQ(zarr_attributes_of(letters).dump(), R"({"units":""})") << "xarray refuses _FillValue there";
}

TEST(ZarrValues, give_a_fill_value_to_every_array) {
  EXPECT_EQ(fill(Type::float32, 1e20F), "1.0000000200408773e+20");
  EXPECT_EQ(fill<std::uint64_t>(Type::uint64, ~0ULL), "18446744073709551615");
  EXPECT_EQ(fill(Type::float64, std::numeric_limits<double>::infinity()), R"("Infinity")");
  EXPECT_EQ(zarr_fill_value({.name = "v", .type = Type::int16, .dimensions = {}, .attributes = {}, .chunk = {}}),
            -32767);
}

TEST(ZarrValues, keep_the_bits_of_an_odd_nan) {
  EXPECT_EQ(fill(Type::float32, std::bit_cast<float>(0x7fc00000U)), R"("NaN")");
  EXPECT_EQ(fill(Type::float32, std::bit_cast<float>(0xffc00001U)), R"("0xffc00001")");
  EXPECT_EQ(fill(Type::float64, std::bit_cast<double>(0x7ff8000000000000U)), R"("NaN")");
  EXPECT_EQ(fill(Type::float64, std::bit_cast<double>(0xfff8000000000000U)), R"("0xfff8000000000000")");
}

}  // namespace
}  // namespace thalweg::formats::zarr
