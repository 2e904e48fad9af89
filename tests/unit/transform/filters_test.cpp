// Shuffle and Fletcher-32 against HDF5's own filters, CRC-32C against published values and a bit-by-bit computation.
#include "transform/filters.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>

#include "hdf5_chunk.hpp"
#include "random_bytes.hpp"

namespace thalweg::transform {
namespace {

using sample::Hdf5Chunk;
using sample::random_bytes;
using Bytes = std::vector<std::byte>;

constexpr std::byte unwritten{0xA5};

Bytes shuffled(const Bytes& in, std::size_t element_bytes) {
  Bytes out(in.size() + 1, unwritten);
  shuffle(in, element_bytes, out.data());
  EXPECT_EQ(out.back(), unwritten);
  out.pop_back();
  return out;
}

Bytes unshuffled(const Bytes& in, std::size_t element_bytes) {
  Bytes out(in.size() + 1, unwritten);
  unshuffle(in, element_bytes, out.data());
  EXPECT_EQ(out.back(), unwritten);
  out.pop_back();
  return out;
}

TEST(Shuffle, is_that_of_hdf5) {
  for (const std::size_t element_bytes : {2, 4, 8})
    for (const std::size_t elements : {2, 3, 15, 16, 17, 31, 32, 1000, 4099}) {
      Hdf5Chunk chunk(elements, element_bytes, [](hid_t properties) { H5Pset_shuffle(properties); });
      const Bytes bytes = random_bytes(elements * element_bytes);
      chunk.write(bytes);
      ASSERT_EQ(chunk.read_raw(), shuffled(bytes, element_bytes)) << elements << " of " << element_bytes << " bytes";
    }
}

TEST(Shuffle, puts_equal_bytes_together_and_leaves_the_rest_behind) {
  Bytes in;
  for (const int value : {11, 12, 13, 21, 22, 23, 91, 92}) in.push_back(static_cast<std::byte>(value));
  Bytes out;
  for (const int value : {11, 21, 12, 22, 13, 23, 91, 92}) out.push_back(static_cast<std::byte>(value));
  EXPECT_EQ(shuffled(in, 3), out);
}

TEST(Shuffle, is_undone_by_unshuffle_for_any_length) {
  for (std::size_t element_bytes = 1; element_bytes <= 16; ++element_bytes)
    for (std::size_t bytes = 0; bytes <= 300; ++bytes) {
      const Bytes in = random_bytes(bytes);
      ASSERT_EQ(unshuffled(shuffled(in, element_bytes), element_bytes), in) << bytes << " by " << element_bytes;
    }
}

TEST(Shuffle, agrees_with_its_definition_for_any_length) {
  for (const std::size_t element_bytes : {1, 2, 3, 4, 8})
    for (std::size_t bytes = 0; bytes <= 300; ++bytes) {
      const Bytes in = random_bytes(bytes);
      const std::size_t elements = bytes / element_bytes;
      Bytes out = in;
      for (std::size_t i = 0; i < elements * element_bytes; ++i)
        out[i % element_bytes * elements + i / element_bytes] = in[i];
      ASSERT_EQ(shuffled(in, element_bytes), out) << bytes << " by " << element_bytes;
    }
}

Bytes with_fletcher32(Bytes bytes) {
  const std::uint32_t sum = fletcher32(bytes);
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(sum >> (8 * i)));
  return bytes;
}

void expect_as_in_hdf5(const Bytes& bytes) {
  Hdf5Chunk chunk(bytes.size(), 1, [](hid_t properties) { H5Pset_fletcher32(properties); });
  chunk.write(bytes);
  ASSERT_EQ(chunk.read_raw(), with_fletcher32(bytes)) << bytes.size() << " bytes";
}

TEST(Fletcher32, is_that_of_hdf5) {
  for (std::size_t bytes = 1; bytes <= 130; ++bytes) expect_as_in_hdf5(random_bytes(bytes));
  for (const std::size_t bytes : {719, 720, 721, 11519, 11520, 11521, 11522, 100003, 1 << 20})
    expect_as_in_hdf5(random_bytes(bytes));
}

TEST(Fletcher32, is_that_of_hdf5_for_sums_that_are_multiples_of_65535) {
  for (const std::size_t bytes : {1, 2, 3, 4, 64, 11520, 30001})
    for (const int value : {0x00, 0xff}) expect_as_in_hdf5(Bytes(bytes, static_cast<std::byte>(value)));
  for (const std::size_t bytes : {2, 32, 11520}) {  // one word of ones among zeros, at either end
    Bytes one(bytes, std::byte{0});
    one[0] = one[1] = std::byte{0xff};
    expect_as_in_hdf5(one);
    std::swap_ranges(one.begin(), one.begin() + 2, one.end() - 2);
    expect_as_in_hdf5(one);
  }
}

TEST(Fletcher32, of_nothing_is_zero) {
  EXPECT_EQ(fletcher32({}), 0U);
}

TEST(Fletcher32, is_accepted_by_hdf5_and_a_wrong_one_is_not) {
  const Bytes bytes = random_bytes(1001);
  Hdf5Chunk chunk(bytes.size(), 1, [](hid_t properties) { H5Pset_fletcher32(properties); });
  Bytes raw = with_fletcher32(bytes);
  chunk.write_raw(raw);
  EXPECT_EQ(chunk.read(), bytes);
  raw[500] ^= std::byte{1};
  chunk.write_raw(raw);
  EXPECT_FALSE(chunk.can_be_read());
}

std::uint32_t crc32c_by_bits(const Bytes& bytes) {
  std::uint32_t remainder = 0xffffffff;
  for (const std::byte byte : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const std::uint32_t out = (remainder ^ (static_cast<std::uint32_t>(byte) >> bit)) & 1;
      remainder = (remainder >> 1) ^ (out != 0 ? 0x82f63b78U : 0U);
    }
  return ~remainder;
}

// Source of the values: RFC 3720, appendix B.4, and the check value of CRC-32/ISCSI.
TEST(Crc32c, gives_the_published_values) {
  constexpr std::string_view digits = "123456789";
  Bytes rising(32);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<std::byte>(i);
  EXPECT_EQ(crc32c(std::as_bytes(std::span(digits))), 0xe3069283U);
  EXPECT_EQ(crc32c(Bytes(32, std::byte{0})), 0x8a9136aaU);
  EXPECT_EQ(crc32c(Bytes(32, std::byte{0xff})), 0x62a8ab43U);
  EXPECT_EQ(crc32c(rising), 0x46dd794eU);
  EXPECT_EQ(crc32c({}), 0U);
}

TEST(Crc32c, agrees_with_a_bit_by_bit_computation_for_any_length) {
  std::vector<std::size_t> counts = {4096, 12287, 12288, 12289, 12296, 24575, 24576, 24577, 40001};
  for (std::size_t count = 0; count <= 70; ++count) counts.push_back(count);
  for (const std::size_t count : counts) {
    const Bytes bytes = random_bytes(count);
    ASSERT_EQ(crc32c(bytes), crc32c_by_bits(bytes)) << count << " bytes";
  }
}

}  // namespace
}  // namespace thalweg::transform
