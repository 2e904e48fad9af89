// The keys of chunks and of what is done to them.
#include <gmock/gmock.h>

#include "loading.hpp"

namespace thalweg::config {
namespace {

using testing::ElementsAre;
using testing::Pair;

class ConfigCompression : public CleanEnvironment {
 protected:
  static CollectionSettings load_h(const std::string& keys) {
    return load("collections: {h: {" + keys + "}}").collection("h");
  }
  static std::string fault_of_h(const std::string& keys) {
    const std::string text = fault("collections: {h: {" + keys + "}}");
    const auto end = text.find(": error: ");
    return end == std::string::npos ? text : text.substr(end + 9);
  }
};

TEST_F(ConfigCompression, says_nothing_by_default) {
  const CollectionSettings settings = load_h("");
  EXPECT_FALSE(settings.compression.codec || settings.compression.level || settings.compression.shuffle ||
               settings.compression.keep_bits || settings.compression.keep_digits || settings.compression.checksum);
  EXPECT_TRUE(settings.chunks.empty());
  EXPECT_FALSE(settings.sharding);
  EXPECT_EQ(load("").writer_threads, 0);
}

TEST_F(ConfigCompression, keys_of_the_section_arrive) {
  const CollectionSettings settings = load_h(
      "compression: {codec: zstd, level: 9, shuffle: false, keep-digits: 4, checksum: true}, sharding: true, "
      "format: zarr");
  EXPECT_EQ(settings.compression.codec, codec_named("zstd"));
  EXPECT_EQ(settings.compression.level, 9);
  EXPECT_EQ(settings.compression.shuffle, false);
  EXPECT_EQ(settings.compression.keep_digits, 4);
  EXPECT_EQ(settings.compression.keep_bits, std::nullopt);
  EXPECT_EQ(settings.compression.checksum, true);
  EXPECT_TRUE(settings.sharding);
  EXPECT_EQ(settings.format, format_named("zarr"));
  EXPECT_EQ(load("writer-threads: 3").writer_threads, 3);
}

TEST_F(ConfigCompression, a_word_is_short_for_the_codec) {
  const Settings settings = load("collections:\n  h:\n    compression: zstd\n    format: netcdf4-classic\n");
  const CollectionSettings h = settings.collection("h");
  EXPECT_EQ(h.compression.codec, codec_named("zstd"));
  EXPECT_EQ(h.compression.level, std::nullopt);
  EXPECT_EQ(h.format, format_named("netcdf4-classic"));
  const auto line = std::ranges::find(settings.effective, "collections.h.compression.codec", &Effective::key);
  ASSERT_NE(line, settings.effective.end());
  EXPECT_EQ(line->value, "zstd");
  EXPECT_EQ(line->origin, "file ocean.yaml:3:18");
}

TEST_F(ConfigCompression, of_a_variable_is_its_own) {
  const CollectionSettings settings = load_h(
      "compression: zstd, chunks: {lat: 90}, "
      "variables: {a: {compression: none}, b: {compression: {keep-bits: 11}, chunks: {lat: 10, lon: 20}}, c: {}}");
  EXPECT_EQ(settings.variables.at("a").compression.codec, Codec());
  EXPECT_EQ(settings.variables.at("b").compression.codec, std::nullopt);
  EXPECT_EQ(settings.variables.at("b").compression.keep_bits, 11);
  EXPECT_THAT(settings.chunks, ElementsAre(Pair("lat", 90)));
  EXPECT_THAT(settings.variables.at("b").chunks, ElementsAre(Pair("lat", 10), Pair("lon", 20)));
  EXPECT_TRUE(settings.variables.at("c").chunks.empty());
}

TEST_F(ConfigCompression, of_a_variable_may_be_the_usual_one) {
  const Settings settings = load(
      "collections: {h: {compression: {codec: zstd, level: 9, shuffle: false, keep-digits: 3, checksum: true}, "
      "variables: {a: {compression: {level: auto, shuffle: auto, keep-digits: all, keep-bits: all, checksum: auto}}, "
      "b: {compression: {level: as the collection, keep-digits: 5}}}}}");
  const CompressionSettings a = settings.collection("h").variables.at("a").compression;
  EXPECT_TRUE(a.level.is_usual && a.shuffle.is_usual && a.keep_digits.is_usual && a.keep_bits.is_usual);
  EXPECT_TRUE(a.checksum.is_usual && a.level.is_said() && !a.level);
  EXPECT_FALSE(settings.collection("h").variables.at("b").compression.level.is_said());
  const auto shown = [&](const std::string& key) {
    return std::ranges::find(settings.effective, "collections.h.variables." + key, &Effective::key)->value;
  };
  EXPECT_EQ(shown("a.compression.level"), "auto");
  EXPECT_EQ(shown("a.compression.keep-digits"), "all");
  EXPECT_EQ(shown("b.compression.level"), "as the collection");
}

TEST_F(ConfigCompression, auto_and_all_take_back_nothing_and_say_nothing) {
  const CollectionSettings settings =
      load_h("compression: {level: auto, shuffle: auto, keep-bits: all, checksum: auto}, chunks: auto");
  EXPECT_FALSE(settings.compression.level || settings.compression.shuffle || settings.compression.keep_bits ||
               settings.compression.checksum);
  EXPECT_TRUE(settings.chunks.empty());
}

TEST_F(ConfigCompression, has_codecs_that_are_known) {
  const std::string known = " is none of none, zstd, deflate";
  EXPECT_EQ(fault_of_h("compression: zstandard").substr(0, 48), ("compression: 'zstandard'" + known).substr(0, 48));
  EXPECT_EQ(fault_of_h("compression: {codec: zst}"), "codec: 'zst'" + known + "; did you mean 'zstd'?");
  EXPECT_EQ(fault_of_h("variables: {a: {compression: deflat}}"),
            "compression: 'deflat'" + known + "; did you mean 'deflate'?");
}

TEST_F(ConfigCompression, has_numbers_within_their_bounds) {
  EXPECT_EQ(fault_of_h("compression: {level: 0}"), "level: '0' must be at least 1");
  EXPECT_EQ(fault_of_h("compression: {level: 20}"), "level: 20 is more than 19");
  EXPECT_EQ(fault_of_h("compression: {level: 19}"), "none");
  EXPECT_EQ(fault_of_h("compression: {keep-digits: 16}"), "keep-digits: 16 is more than 15");
  EXPECT_EQ(fault_of_h("compression: {keep-bits: 0}"), "keep-bits: '0' must be at least 1");
  EXPECT_EQ(fault_of_h("chunks: {lat: 0}"), "chunks: '0' must be at least 1");
  EXPECT_EQ(fault("writer-threads: -1"), "ocean.yaml:1:17: error: writer-threads: '-1' must be at least 0");
}

TEST_F(ConfigCompression, is_a_word_or_a_map_of_keys) {
  EXPECT_EQ(fault_of_h("compression: [zstd, 3]"),
            "keys and values such as 'staging: 2 GiB' are wanted here, this is a list");
  EXPECT_EQ(fault_of_h("compression: {codec: [zstd]}"), "codec: one value is wanted here, this is a list");
  EXPECT_EQ(fault_of_h("chunks: [90, 180]"), "chunks: a map such as {lat: 90, lon: 180} is wanted here");
  EXPECT_EQ(fault_of_h("chunks: {lat: [90]}"), "chunks: one value is wanted here, this is a list");
}

TEST_F(ConfigCompression, keys_in_the_wrong_place_are_sent_to_theirs) {
  EXPECT_EQ(fault_of_h("level: 3"), "unknown key 'level' here; it belongs in collections.NAME.compression");
  EXPECT_EQ(fault_of_h("compression: {chunks: {lat: 3}}"), "unknown key 'chunks' here; it belongs in collections.NAME");
  EXPECT_EQ(fault("compression: zstd"),
            "ocean.yaml:1:1: error: unknown key 'compression' here; it belongs in collections.NAME");
  EXPECT_EQ(fault_of_h("compression: {codecs: zstd}"), "unknown key 'codecs'; did you mean 'codec'?");
}

}  // namespace
}  // namespace thalweg::config
