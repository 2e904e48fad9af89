#include "files/encoded_sizes.hpp"

#include <gtest/gtest.h>

#include "block/results.hpp"

namespace thalweg::files {
namespace {

// Writer 0 encodes variable 0 in both parts and not variable 1, writer 3 encodes nothing, writer 5 one chunk.
struct EncodedSizesTest : testing::Test {
  EncodedSizesTest() {
    plan.record_chunks[0] = {{0, 0, true, 0}, {1, 0, false, 0}, {0, 7, true, 1}};
    plan.record_chunks[3] = {{1, 1, false, 0}};
    plan.record_chunks[5] = {{0, 2, true, 0}};
    plan.fixed_chunks[5] = {{2, 4, true, 0}};
  }
  FilePlan plan;
  EncodedSizes sizes{plan};
};

TEST_F(EncodedSizesTest, are_known_when_every_writer_that_encodes_has_told_them) {
  EXPECT_FALSE(sizes.are_known(8));
  sizes.told(5, 8, {block::code_of(11, false)});
  EXPECT_FALSE(sizes.are_known(8));
  sizes.told(0, 8, {block::code_of(22, true), block::code_of(33, false)});
  EXPECT_TRUE(sizes.are_known(8));
  EXPECT_FALSE(sizes.are_known(9));
  EXPECT_FALSE(sizes.are_known(block::fixed_record));
  sizes.told(5, block::fixed_record, {block::code_of(44, false)});
  EXPECT_TRUE(sizes.are_known(block::fixed_record));
}

TEST_F(EncodedSizesTest, go_to_the_part_of_their_chunk) {
  sizes.told(5, 8, {block::code_of(11, false)});
  sizes.told(3, 8, {});
  sizes.told(0, 8, {block::code_of(22, true), block::code_of(33, false)});
  const auto parts = sizes.encoded(8, 2);
  ASSERT_EQ(parts.size(), 2u);
  ASSERT_EQ(parts[0].size(), 2u);
  ASSERT_EQ(parts[1].size(), 1u);
  const auto is = [](const formats::EncodedChunk& chunk, std::int64_t number, std::int64_t bytes, bool codec_skipped) {
    return chunk.variable == 0 && chunk.chunk == number && chunk.bytes == bytes && chunk.codec_skipped == codec_skipped;
  };
  EXPECT_TRUE(is(parts[0][0], 0, 22, true));
  EXPECT_TRUE(is(parts[0][1], 2, 11, false));
  EXPECT_TRUE(is(parts[1][0], 7, 33, false));
}

TEST_F(EncodedSizesTest, are_forgotten_by_record) {
  for (const std::int64_t record : {8, 9}) {
    sizes.told(0, record, {2, 4});
    sizes.told(5, record, {6});
  }
  sizes.forget(8);
  EXPECT_FALSE(sizes.are_known(8));
  EXPECT_TRUE(sizes.are_known(9));
}

}  // namespace
}  // namespace thalweg::files
