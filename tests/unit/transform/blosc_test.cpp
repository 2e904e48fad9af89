// Blosc's container and gzip as others write them, and the container that is written here.
#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "../error_of.hpp"
#include "base/error.hpp"
#include "random_bytes.hpp"
#include "transform/filters.hpp"

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

Bytes numbers() {
  Bytes bytes;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint32_t number = i % 7;
    const auto raw = std::as_bytes(std::span(&number, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  return bytes;
}

TEST(Blosc, of_others_is_decoded) {
  EXPECT_EQ(decoded(blosc, bytes_of(one_block), 1200), numbers());
  EXPECT_EQ(decoded(blosc, bytes_of(three_blocks), 1200), numbers());
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
  const Bytes chunk = bytes_of(three_blocks);
  for (std::size_t length = 0; length < chunk.size(); ++length)
    EXPECT_NE(
        error_of(THALWEG_ERROR_STORAGE,
                 [&] { decoded(blosc, {chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(length)}, 1200); }),
        "no error")
        << length;
  for (std::size_t i = 0; i < chunk.size() * 8; ++i) {
    Bytes damaged = chunk;
    damaged[i / 8] ^= static_cast<std::byte>(1U << i % 8);
    error_of(THALWEG_ERROR_STORAGE, [&] { decoded(blosc, damaged, 1200); });
  }
}

TEST(Blosc, of_another_codec_is_named) {
  Bytes lz4 = bytes_of(one_block);
  lz4[2] = std::byte{0x31};
  EXPECT_EQ(error_of(THALWEG_ERROR_STORAGE, [&] { decoded(blosc, lz4, 1200); }),
            "a blosc chunk of 52 bytes cannot be decompressed into 1200 bytes: its codec 1 with the flags 0x31 is not "
            "known here");
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
