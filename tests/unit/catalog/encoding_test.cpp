#include "catalog/encoding.hpp"

#include <gtest/gtest.h>
#include <netcdf.h>

#include "base/error.hpp"

namespace thalweg::catalog {
namespace {

using config::Codec;
using config::codec_named;
using config::CollectionSettings;
using config::CompressionSettings;
using config::format_named;

class EncodingOf : public testing::Test {
 protected:
  Encoding of(Type type, bool has_record = true) const {
    Variable variable;
    variable.name = "temp";
    variable.type = type;
    variable.has_record = has_record;
    return encoding_of(settings_, variable);
  }
  CompressionSettings& all() { return settings_.compression; }
  CompressionSettings& own() { return settings_.variables["temp"].compression; }

  CollectionSettings settings_;
};

TEST(Quantization, is_told_by_the_attributes_that_netcdf_writes) {
  EXPECT_STREQ(bit_round_words.kept_for_netcdf, NC_QUANTIZE_BITROUND_ATT_NAME);
  EXPECT_STREQ(granular_bit_round_words.kept_for_netcdf, NC_QUANTIZE_GRANULARBR_ATT_NAME);
}

TEST_F(EncodingOf, what_is_rounded_for_all_are_no_coordinates) {
  all().keep_digits = 3;
  Variable time, bounds, moving, field;
  time.name = "time";
  time.attributes = {text_attribute("bounds", "time_bnds")};
  field.attributes = {text_attribute("coordinates", "lat  lon"), text_attribute("bounds_of", "other")};
  field.name = "temp";
  bounds.name = "time_bnds";
  moving.name = "lon";
  std::vector<Variable> variables = {time, bounds, moving, field};
  for (Variable& of : variables) {
    of.type = Type::float64;
    of.has_record = true;
  }
  const std::set<std::string> coordinates = coordinates_in(variables);
  EXPECT_EQ(coordinates, (std::set<std::string>{"time_bnds", "lat", "lon"}));
  for (const Variable& of : variables)
    EXPECT_EQ(encoding_of(settings_, of, coordinates).rounds(), of.name == "temp") << of.name;
  settings_.variables["time_bnds"].compression.keep_digits = 3;
  EXPECT_TRUE(encoding_of(settings_, variables[1], coordinates).rounds()) << "it is said of this one";
}

TEST_F(EncodingOf, a_variable_may_have_what_is_usual_whatever_its_collection_says) {
  all().codec = codec_named("deflate");
  all().level = 9;
  all().shuffle = false;
  all().keep_digits = 3;
  all().checksum = true;
  own().level.is_usual = own().shuffle.is_usual = own().keep_digits.is_usual = own().checksum.is_usual = true;
  const Encoding usual = of(Type::float32);
  EXPECT_EQ(usual.level, 4);
  EXPECT_TRUE(usual.shuffle);
  EXPECT_FALSE(usual.rounds() || usual.checksum);
  EXPECT_FALSE(of(Type::character).rounds()) << "is not refused";
}

TEST_F(EncodingOf, nothing_is_nothing) {
  settings_.variables["another"].compression.codec = codec_named("zstd");
  const Encoding encoding = of(Type::float64);
  EXPECT_FALSE(encoding.changes_size());
  EXPECT_FALSE(encoding.rounds());
}

TEST_F(EncodingOf, a_codec_comes_with_a_level_and_shuffle) {
  all().codec = codec_named("zstd");
  EXPECT_EQ(of(Type::float64).level, 3);
  EXPECT_TRUE(of(Type::int16).shuffle);
  EXPECT_FALSE(of(Type::int8).shuffle) << "of single bytes nothing can be shuffled";
  all().codec = codec_named("deflate");
  EXPECT_EQ(of(Type::float64).level, 4);
  EXPECT_FALSE(of(Type::float64).checksum);
}

TEST_F(EncodingOf, a_variable_s_own_words_prevail_one_by_one) {
  all() = {.codec = codec_named("zstd"), .level = 7, .shuffle = false, .checksum = true};
  own().codec = codec_named("deflate");
  EXPECT_EQ(of(Type::float32).codec, codec_named("deflate"));
  EXPECT_EQ(of(Type::float32).level, 7);
  EXPECT_FALSE(of(Type::float32).shuffle);
  EXPECT_TRUE(of(Type::float32).checksum);
  own() = {.codec = Codec(), .shuffle = true, .checksum = false};
  EXPECT_EQ(of(Type::float32).codec, Codec());
  EXPECT_TRUE(of(Type::float32).shuffle);
  EXPECT_FALSE(of(Type::float32).checksum);
}

TEST_F(EncodingOf, zarr_has_checksums_unless_told_otherwise) {
  settings_.format = format_named("zarr");
  EXPECT_TRUE(of(Type::int8).checksum);
  all().checksum = false;
  EXPECT_FALSE(of(Type::int8).checksum);
}

TEST_F(EncodingOf, zarr_shuffles_only_what_it_compresses) {
  settings_.format = format_named("zarr");
  EXPECT_FALSE(of(Type::float32).shuffle);
  all().codec = codec_named("zstd");
  EXPECT_TRUE(of(Type::float32).shuffle);
  EXPECT_FALSE(of(Type::uint8).shuffle);
  all().shuffle = false;
  EXPECT_FALSE(of(Type::float32).shuffle);
  all().shuffle = true;
  own().codec = Codec();
  EXPECT_FALSE(of(Type::float32).shuffle);
}

TEST_F(EncodingOf, coordinates_stay_exact_unless_told_themselves) {
  all().keep_digits = 3;
  EXPECT_EQ(of(Type::float64).keep_digits, 3);
  EXPECT_FALSE(of(Type::float64, false).rounds());
  own().keep_bits = 9;
  EXPECT_EQ(of(Type::float64, false).keep_bits, 9);
  EXPECT_EQ(of(Type::float64, false).keep_digits, 0) << "one of the two, not both";
}

TEST_F(EncodingOf, times_of_records_stay_exact_unless_told_themselves) {
  settings_.record_dimension = "temp";
  all().keep_digits = 3;
  EXPECT_FALSE(of(Type::float64).rounds());
  own().keep_digits = 9;
  EXPECT_EQ(of(Type::float64).keep_digits, 9);
}

TEST_F(EncodingOf, integers_are_never_rounded) {
  all().keep_bits = 5;
  own().keep_digits = 2;
  for (const Type type : {Type::int8, Type::int16, Type::int32, Type::int64, Type::uint8, Type::uint64})
    EXPECT_FALSE(of(type).rounds()) << name_of(type);
}

TEST_F(EncodingOf, characters_are_compressed_as_bytes_and_rounded_by_no_word_of_their_own) {
  all() = {.codec = codec_named("zstd"), .keep_bits = 5};
  EXPECT_EQ(of(Type::character).codec, codec_named("zstd"));
  EXPECT_FALSE(of(Type::character).shuffle);
  EXPECT_FALSE(of(Type::character).rounds());
  own().keep_digits = 2;
  try {
    of(Type::character);
    FAIL() << "characters were rounded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_CONFIG);
    EXPECT_NE(std::string(error.what()).find("variable 'temp': it holds characters"), std::string::npos);
  }
}

TEST_F(EncodingOf, as_many_bits_as_the_type_has_are_all) {
  const auto bits = [&](Type type, std::int64_t keep) {
    all().keep_bits = keep;
    return of(type).keep_bits;
  };
  EXPECT_EQ(bits(Type::float32, 22), 22);
  EXPECT_EQ(bits(Type::float32, 23), 0);
  EXPECT_EQ(bits(Type::float32, 52), 0);
  EXPECT_EQ(bits(Type::float64, 51), 51);
  EXPECT_EQ(bits(Type::float64, 52), 0);
}

TEST_F(EncodingOf, digits_that_netcdf_cannot_keep_are_all) {
  const auto digits = [&](Type type, std::int64_t keep) {
    all().keep_digits = keep;
    return of(type).keep_digits;
  };
  EXPECT_EQ(digits(Type::float32, 6), 6);
  EXPECT_EQ(digits(Type::float32, 7), 0) << "netCDF-C 4.9.0 spoils values at 7";
  EXPECT_EQ(digits(Type::float64, 15), 15);
}

}  // namespace
}  // namespace thalweg::catalog
