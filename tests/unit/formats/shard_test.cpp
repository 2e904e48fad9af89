#include "formats/zarr/shard.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "../../support/zarr_sample.hpp"

namespace thalweg::formats::zarr {
namespace {

using zarr_sample::crc32c;

template <typename T>
T read_at(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(Shard, checksum_of_the_tests_is_that_of_the_standard) {
  EXPECT_EQ(crc32c(std::as_bytes(std::span("123456789", 9))), 0xe3069283U);
}

TEST(Shard, has_its_chunks_side_by_side) {
  const std::vector<std::int64_t> bytes = {10, block::missing_chunk, 0, 7};
  const std::vector<ShardChunk> chunks = lay_out_shard(bytes);
  ASSERT_EQ(chunks.size(), 4U);
  EXPECT_EQ(chunks[0].offset, 0);
  EXPECT_EQ(chunks[1].bytes, block::missing_chunk);
  EXPECT_EQ(chunks[2].offset, 10);
  EXPECT_EQ(chunks[3].offset, 10);
  EXPECT_EQ(chunks[3].bytes, 7);
}

TEST(Shard, index_says_where_each_chunk_is_and_ends_with_a_checksum) {
  const std::vector<std::int64_t> bytes = {0x123456789, block::missing_chunk, 5};
  const std::vector<std::byte> index = encode_shard_index(lay_out_shard(bytes), crc32c);
  ASSERT_EQ(std::ssize(index), shard_index_bytes(3));
  EXPECT_EQ(read_at<std::uint64_t>(index, 0), 0U);
  EXPECT_EQ(read_at<std::uint64_t>(index, 8), 0x123456789U);
  EXPECT_EQ(read_at<std::uint64_t>(index, 16), ~0ULL);
  EXPECT_EQ(read_at<std::uint64_t>(index, 24), ~0ULL);
  EXPECT_EQ(read_at<std::uint64_t>(index, 32), 0x123456789U);
  EXPECT_EQ(read_at<std::uint64_t>(index, 40), 5U);
  EXPECT_EQ(read_at<std::uint32_t>(index, 48), crc32c(std::span(index).first(48)));
}

}  // namespace
}  // namespace thalweg::formats::zarr
