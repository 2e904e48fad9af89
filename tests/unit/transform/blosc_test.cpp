// Blosc's container and gzip as others write them, and the container that is written here.
#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "../error_of.hpp"
#include "base/error.hpp"
#include "random_bytes.hpp"
#include "transform/filters.hpp"
#include "transform/filters/lz4.hpp"

namespace thalweg::transform {
namespace {

using sample::even_bytes;
using sample::random_bytes;
using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view hex) {
  Bytes bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

Bytes decoded(const Filter& filter, const Bytes& in, std::size_t bytes) {
  Bytes out(bytes);
  out.resize(filter.decode({}, in, out));
  return out;
}

// What c-blosc 1.21 makes of 300 numbers i mod 7 of four bytes, in one block and in blocks of 512 bytes.
constexpr std::string_view one_block =
    "02019104b0040000b004000034000000140000001c00000028b52ffd60b003950000400001020304050600020080719510915a8c";
constexpr std::string_view three_blocks =
    "02019104b0040000000200007a0000001c0000003c0000005c0000001c00000028b52ffd60000195000040000102030405060002007c3855"
    "58a5c5081c00000028b52ffd60000195000040020304050600010002007c385558a5c5081a00000028b52ffd20b08d000040040506000102"
    "03000200001c25e82946";

// Each byte of the elements by itself, as fast codecs have it; and of 304 numbers one bit after the other.
constexpr std::string_view split_lz4 =
    "02012104b0040000b00400005a00000014000000120000007f000102030405060700ff0e5001020304050c0000001f000100ff1450000000"
    "00000c0000001f000100ff145000000000000c0000001f000100ff14500000000000";
constexpr std::string_view split_zlib =
    "02016104b0040000b00400005e0000001400000013000000785e636064626661656318a50853000db003820d000000785e63601805c40200"
    "012c00010d000000785e63601805c40200012c00010d000000785e63601805c40200012c0001";
constexpr std::string_view bits_by_lz4 =
    "02012404c0040000c004000074000000140000002c0000007f2a954aa552a95407000c7f4c2693c964329907000c7f70381c0e87c3e10700"
    "0c1f000100a55000000000000c0000001f000100ff185000000000000c0000001f000100ff185000000000000c0000001f000100ff185000"
    "00000000";
constexpr std::string_view bits_by_zstd =
    "02019404c0040000c004000046000000140000002e00000028b52ffd60c003250100b02a954aa552a9544c2693c964329970381c0e87c3e1"
    "0004004ae07e011a031aa3a61801";

Bytes numbers(std::uint32_t count = 300) {
  Bytes bytes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = i % 7;
    const auto raw = std::as_bytes(std::span(&number, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  return bytes;
}

TEST(Blosc, of_others_is_decoded) {
  EXPECT_EQ(decoded(blosc, bytes_of(one_block), 1200), numbers());
  EXPECT_EQ(decoded(blosc, bytes_of(three_blocks), 1200), numbers());
  EXPECT_EQ(decoded(blosc, bytes_of(split_lz4), 1200), numbers());
  EXPECT_EQ(decoded(blosc, bytes_of(split_zlib), 1200), numbers());
  EXPECT_EQ(decoded(blosc, bytes_of(bits_by_lz4), 1216), numbers(304));
  EXPECT_EQ(decoded(blosc, bytes_of(bits_by_zstd), 1216), numbers(304));
}

TEST(Blosc, gives_back_what_it_got) {
  WorkingMemory memory;
  for (const std::size_t element_bytes : {2, 4, 8})
    for (const std::size_t length : {0, 1, 2, 7, 4096, 65539})
      for (const Bytes& in : {random_bytes(length), even_bytes(length)}) {
        const FilterCall call{.level = 3, .element_bytes = element_bytes, .inside = &zstd};
        Bytes shuffled(length);
        shuffle(in, element_bytes, shuffled.data());
        Bytes chunk(blosc.bound(call, length));
        chunk.resize(blosc.encode(call, shuffled, chunk, memory).value());
        ASSERT_EQ(decoded(blosc, chunk, length), in) << length << " by " << element_bytes;
      }
}

// Wherever it is damaged, what comes of it is values or an error.
TEST(Blosc, that_is_damaged_is_an_error_or_other_values) {
  for (const std::string_view hex : {three_blocks, split_lz4, bits_by_lz4}) {
    const Bytes chunk = bytes_of(hex);
    for (std::size_t length = 0; length < chunk.size(); ++length) {
      const Bytes cut(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_NE(error_of(THALWEG_ERROR_STORAGE, [&] { decoded(blosc, cut, 1216); }), "no error") << length;
    }
    for (std::size_t i = 0; i < chunk.size() * 8; ++i) {
      Bytes damaged = chunk;
      damaged[i / 8] ^= static_cast<std::byte>(1U << i % 8);
      error_of(THALWEG_ERROR_STORAGE, [&] { decoded(blosc, damaged, 1216); });
    }
  }
}

TEST(Blosc, of_another_codec_is_named) {
  Bytes snappy = bytes_of(one_block);
  snappy[2] = std::byte{0x51};
  EXPECT_EQ(error_of(THALWEG_ERROR_STORAGE, [&] { decoded(blosc, snappy, 1200); }),
            "a blosc chunk of 52 bytes cannot be decompressed into 1200 bytes: its codec 2 is not known here");
}

// Of literals alone; of a match that repeats itself; and of lengths that go on in bytes of their own.
TEST(Lz4, is_decoded) {
  const auto text = [](std::string_view hex, std::size_t bytes) {
    Bytes out(bytes);
    out.resize(decode_lz4(bytes_of(hex), out));
    return std::string(reinterpret_cast<const char*>(out.data()), out.size());
  };
  EXPECT_EQ(text("50746865736f", 9), "theso");
  const std::string repeated = "246162020050746865736f";
  EXPECT_EQ(text(repeated, 15), "abababababtheso");
  for (const char* damaged : {"", "60746865736f", "246162030050746865736f", "24616202"})
    EXPECT_NE(error_of(THALWEG_ERROR_STORAGE, [&] { text(damaged, 40); }), "no error") << damaged;
  EXPECT_NE(error_of(THALWEG_ERROR_STORAGE, [&] { text("50746865736f", 4); }), "no error");
  EXPECT_NE(error_of(THALWEG_ERROR_STORAGE, [&] { text(repeated, 14); }), "no error");
}

// What Python's gzip makes of "thalweg " four times.
TEST(Gzip, is_decoded) {
  const Bytes chunk = bytes_of("1f8b08000000000002032bc948cc294f4d5728c14103007f5ecf5120000000");
  const Bytes out = decoded(gzip, chunk, 32);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(out.data()), out.size()), "thalweg thalweg thalweg thalweg ");
  Bytes damaged = chunk;
  damaged[20] ^= std::byte{1};
  EXPECT_NE(error_of(THALWEG_ERROR_STORAGE, [&] { decoded(gzip, damaged, 32); }), "no error");
}

}  // namespace
}  // namespace thalweg::transform
