#include "storage/rate_limit.hpp"

#include <gtest/gtest.h>

#include <array>

#include "block/block_map.hpp"

namespace thalweg::storage {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

TEST(RateLimit, holds_nothing_back_where_it_is_not_set) {
  RateLimit limit(0);
  EXPECT_FALSE(limit.is_set());
  EXPECT_EQ(limit.claim_s(100 * mebibyte, 1.0), 0.0);
  EXPECT_EQ(limit.claim_s(100 * mebibyte, 1.0), 0.0);
}

TEST(RateLimit, gives_bytes_their_time_before_the_next_ones) {
  RateLimit limit(1000);
  EXPECT_EQ(limit.claim_s(500, 10.0), 0.0);
  EXPECT_EQ(limit.claim_s(250, 10.0), 0.5);
  EXPECT_EQ(limit.claim_s(1000, 10.25), 0.5);
  EXPECT_EQ(limit.claim_s(1, 11.75), 0.0);
}

TEST(RateLimit, gives_no_credit_for_time_in_which_nothing_was_written) {
  RateLimit limit(1000);
  EXPECT_EQ(limit.claim_s(1000, 10.0), 0.0);
  EXPECT_EQ(limit.claim_s(1000, 100.0), 0.0);
  EXPECT_EQ(limit.claim_s(1000, 100.0), 1.0);
}

TEST(RateLimit, has_slices_of_a_tenth_of_a_second_that_are_not_too_small) {
  EXPECT_EQ(RateLimit(1000).slice_bytes(), mebibyte);
  EXPECT_EQ(RateLimit(200 * mebibyte).slice_bytes(), 20 * mebibyte);
}

class Slices : public testing::TestWithParam<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(bytes, Slices, testing::Values(4096, 10000, 65536, mebibyte, 100 * mebibyte));

TEST_P(Slices, are_all_runs_in_their_order_and_none_is_larger_than_asked_for) {
  std::vector<std::byte> memory(3 * mebibyte);
  std::array runs = {DataRun{5 * mebibyte + 17, memory.data() + 100, mebibyte}, DataRun{100, memory.data(), 50},
                     DataRun{150, memory.data() + 2 * mebibyte, 20000}, DataRun{mebibyte, memory.data() + mebibyte, 0}};
  const std::array expected = {runs[1], runs[2], runs[0]};
  std::vector<DataRun> joined;
  for (const std::vector<DataRun>& slice : cut_into_slices(runs, GetParam())) {
    ASSERT_FALSE(slice.empty());
    std::int64_t bytes = 0;
    for (const DataRun& part : slice) {
      bytes += part.bytes;
      const bool follows = !joined.empty() && joined.back().offset + joined.back().bytes == part.offset &&
                           joined.back().data + joined.back().bytes == part.data;
      if (!follows) {
        joined.push_back(part);
        continue;
      }
      EXPECT_EQ(part.offset % block::page_bytes, 0) << "cut in a page of the file";
      joined.back().bytes += part.bytes;
    }
    EXPECT_LE(bytes, GetParam());
  }
  ASSERT_EQ(joined.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(joined[i].offset, expected[i].offset);
    EXPECT_EQ(joined[i].data, expected[i].data);
    EXPECT_EQ(joined[i].bytes, expected[i].bytes);
  }
}

TEST(SlicesOfNothing, are_none) {
  EXPECT_TRUE(cut_into_slices({}, mebibyte).empty());
}

}  // namespace
}  // namespace thalweg::storage
