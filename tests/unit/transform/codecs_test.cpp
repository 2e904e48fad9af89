// Compressed chunks: round trips, and other libraries' decoders.
#include "transform/filters.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"
#include "hdf5_chunk.hpp"
#include "random_bytes.hpp"

namespace thalweg::transform {
namespace {

using config::codec_named;

using sample::even_bytes;
using sample::Hdf5Chunk;
using sample::random_bytes;
using Bytes = std::vector<std::byte>;

constexpr std::size_t room_for_headers = 1024;

Bytes compressed(Compressor& compressor, Codec codec, int level, const Bytes& in) {
  Bytes out(in.size() + room_for_headers);
  const auto bytes = compressor.compress(codec, level, in, out);
  EXPECT_TRUE(bytes.has_value());
  out.resize(bytes.value_or(0));
  return out;
}

thalweg_status error_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return THALWEG_OK;
}

class EachCodec : public testing::TestWithParam<Codec> {
 protected:
  Codec codec() const { return GetParam(); }
  int least() const { return codec() ? codec()->levels.least : 0; }
  int most() const { return codec() ? codec()->levels.most : 0; }

  Compressor compressor_;
};

INSTANTIATE_TEST_SUITE_P(All, EachCodec, testing::Values(Codec(), codec_named("zstd"), codec_named("deflate")));

TEST_P(EachCodec, gives_back_what_it_got_at_every_length) {
  for (const std::size_t length : {0, 1, 2, 7, 100, 4095, 65537, 1 << 20})
    for (const Bytes& in : {random_bytes(length), even_bytes(length)}) {
      const Bytes chunk = compressed(compressor_, codec(), least(), in);
      Bytes out(length);
      ASSERT_EQ(decompress(codec(), chunk, out), length);
      ASSERT_EQ(out, in) << length << " bytes";
    }
}

TEST_P(EachCodec, gives_back_what_it_got_at_every_level) {
  const Bytes in = even_bytes(100003);
  for (int level = least(); level <= most(); ++level) {
    const Bytes chunk = compressed(compressor_, codec(), level, in);
    if (codec() != Codec()) EXPECT_LT(chunk.size(), in.size() / 20);
    Bytes out(in.size());
    ASSERT_EQ(decompress(codec(), chunk, out), in.size());
    ASSERT_EQ(out, in) << "level " << level;
  }
}

TEST_P(EachCodec, makes_the_same_of_the_same_bytes_whatever_went_before) {
  Bytes in = random_bytes(20000);
  for (std::byte& byte : in) byte &= std::byte{3};
  for (const int level : {least(), most(), least()}) {
    Compressor fresh;
    ASSERT_EQ(compressed(compressor_, codec(), level, in), compressed(fresh, codec(), level, in)) << "level " << level;
  }
}

TEST_P(EachCodec, returns_nothing_if_the_result_does_not_fit) {
  const Bytes in = random_bytes(10000);
  Bytes out(in.size() - 1);
  EXPECT_EQ(compressor_.compress(codec(), least(), in, out), std::nullopt);
  EXPECT_EQ(compressor_.compress(codec(), least(), in, std::span(out).first(0)), std::nullopt);
}

TEST_P(EachCodec, writes_no_more_than_it_says) {
  const Bytes in = even_bytes(10000);
  const Bytes chunk = compressed(compressor_, codec(), least(), in);
  Bytes out(chunk.size() + 64, std::byte{0xA5});
  const auto room = std::span(out).first(chunk.size() - 1);
  EXPECT_EQ(compressor_.compress(codec(), least(), in, room), std::nullopt);
  for (std::size_t i = room.size(); i < out.size(); ++i) ASSERT_EQ(out[i], std::byte{0xA5});
}

TEST_P(EachCodec, fails_to_decompress_into_too_little_room) {
  const Bytes chunk = compressed(compressor_, codec(), least(), even_bytes(10000));
  Bytes out(9999);
  EXPECT_EQ(error_of([&] { decompress(codec(), chunk, out); }), THALWEG_ERROR_STORAGE);
}

class EachRealCodec : public EachCodec {};

INSTANTIATE_TEST_SUITE_P(All, EachRealCodec, testing::Values(codec_named("zstd"), codec_named("deflate")));

TEST_P(EachRealCodec, fails_to_decompress_a_damaged_chunk) {
  Bytes chunk = compressed(compressor_, codec(), least(), even_bytes(10000));
  Bytes out(10000);
  EXPECT_EQ(error_of([&] { decompress(codec(), std::span(chunk).first(chunk.size() / 2), out); }),
            THALWEG_ERROR_STORAGE);
  chunk[0] ^= std::byte{0xff};
  EXPECT_EQ(error_of([&] { decompress(codec(), chunk, out); }), THALWEG_ERROR_STORAGE);
}

TEST_P(EachRealCodec, makes_less_of_the_same_bytes_at_its_last_level) {
  Bytes in = random_bytes(20000);
  for (std::byte& byte : in) byte &= std::byte{3};
  const std::size_t fast = compressed(compressor_, codec(), least(), in).size();
  EXPECT_LT(compressed(compressor_, codec(), most(), in).size(), fast);
}

TEST_P(EachRealCodec, refuses_levels_that_it_does_not_know) {
  Bytes out(100);
  for (const int level : {-1, 0, most() + 1})
    EXPECT_EQ(error_of([&] { compressor_.compress(codec(), level, out, out); }), THALWEG_ERROR_ARGUMENT);
}

TEST_P(EachRealCodec, gives_back_what_was_stored_and_what_is_behind_it) {
  for (const std::size_t stored : {0, 1, 65535, 65536, 131072, 131073, 300000})
    for (const std::size_t behind : {0, 1, 255, 70000, 3000000}) {
      Bytes in = random_bytes(stored);
      const Bytes even = even_bytes(behind);
      in.insert(in.end(), even.begin(), even.end());
      Bytes chunk(in.size() + room_for_headers);
      const auto bytes = compressor_.compress_behind(stored, codec(), 3, in, chunk);
      ASSERT_TRUE(bytes.has_value());
      EXPECT_LT(*bytes, stored + behind / 20 + 128);
      Bytes out(in.size());
      ASSERT_EQ(decompress(codec(), std::span(chunk).first(*bytes), out), in.size());
      ASSERT_EQ(out, in) << stored << " bytes stored, " << behind << " behind";
    }
}

TEST_P(EachRealCodec, stores_even_what_it_could_compress) {
  const Bytes in = even_bytes(200000);
  Bytes out(in.size());
  EXPECT_GT(compressor_.compress_behind(150000, codec(), 3, in, out), 150000);
}

TEST_P(EachRealCodec, writes_no_more_than_it_says_with_stored_bytes) {
  const Bytes in = random_bytes(150000);
  Bytes chunk(in.size() + room_for_headers);
  const std::size_t bytes = compressor_.compress_behind(140000, codec(), 3, in, chunk).value();
  for (const std::size_t less : {1, 100, 10000, 149999}) {
    Bytes out(chunk.size(), std::byte{0xA5});
    const std::size_t room = bytes - std::min<std::size_t>(bytes, less);
    EXPECT_EQ(compressor_.compress_behind(140000, codec(), 3, in, std::span(out).first(room)), std::nullopt);
    for (std::size_t i = room; i < out.size(); ++i) ASSERT_EQ(out[i], std::byte{0xA5});
  }
}

TEST(Zstd, says_in_its_frame_how_long_the_content_is) {
  Compressor compressor;
  for (const std::size_t length : {0, 1, 70000})
    EXPECT_EQ(zstd.content_bytes(compressed(compressor, codec_named("zstd"), 3, even_bytes(length))), length);
  EXPECT_EQ(error_of([] { zstd.content_bytes(random_bytes(100)); }), THALWEG_ERROR_STORAGE);
}

// HDF5 decodes with zlib's inflate.
TEST(Deflate, is_decoded_by_hdf5) {
  Compressor compressor;
  for (int level = 1; level <= 9; ++level)
    for (const std::size_t length : {1, 2, 77, 100003})
      for (const Bytes& in : {random_bytes(length), even_bytes(length)}) {
        Hdf5Chunk chunk(length, 1, [](hid_t properties) { H5Pset_deflate(properties, 1); });
        chunk.write_raw(compressed(compressor, codec_named("deflate"), level, in));
        ASSERT_EQ(chunk.read(), in) << length << " bytes at level " << level;
      }
}

TEST(Deflate, is_decoded_by_hdf5_with_stored_bytes_in_front) {
  Compressor compressor;
  for (const std::size_t stored : {1, 65535, 65537, 100000}) {
    Bytes in = random_bytes(stored);
    in.resize(200003, std::byte{7});
    Bytes made(in.size());
    made.resize(compressor.compress_behind(stored, codec_named("deflate"), 4, in, made).value());
    Hdf5Chunk chunk(in.size(), 1, [](hid_t properties) { H5Pset_deflate(properties, 1); });
    chunk.write_raw(made);
    ASSERT_EQ(chunk.read(), in) << stored << " bytes";
  }
}

TEST(Deflate, of_hdf5_is_decoded) {
  const Bytes in = even_bytes(100003);
  Hdf5Chunk chunk(in.size(), 1, [](hid_t properties) { H5Pset_deflate(properties, 6); });
  chunk.write(in);
  Bytes out(in.size());
  EXPECT_EQ(decompress(codec_named("deflate"), chunk.read_raw(), out), in.size());
  EXPECT_EQ(out, in);
}

}  // namespace
}  // namespace thalweg::transform
