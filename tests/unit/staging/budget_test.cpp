#include "staging/budget.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"

namespace thalweg::staging {
namespace {

using Depths = std::vector<std::int64_t>;
constexpr std::int64_t mib = std::int64_t{1} << 20;

TEST(Budget, gives_two_records_to_a_collection_of_large_ones) {
  EXPECT_EQ(share_budget({{"history", 100 * mib, 0, 0}}, 1000 * mib), Depths{2});
}

TEST(Budget, gives_as_many_small_records_as_fit_into_the_automatic_share) {
  EXPECT_EQ(share_budget({{"history", 4 * mib, 0, 0}}, 1000 * mib), Depths{8});
  EXPECT_EQ(share_budget({{"history", 16 * mib, 0, 0}}, 1000 * mib), Depths{2});
}

TEST(Budget, gives_no_more_than_the_largest_automatic_number_of_records) {
  EXPECT_EQ(share_budget({{"history", 4096, 0, 0}}, 1000 * mib), Depths{auto_records});
}

TEST(Budget, follows_the_wish_for_records_ahead) {
  EXPECT_EQ(share_budget({{"history", 100 * mib, 0, 5}, {"series", 4096, 0, 1}}, 1000 * mib), (Depths{5, 1}));
}

TEST(Budget, takes_whole_rounds_as_long_as_there_is_room) {
  // 10 and 30 a record: one each (40), a round of one more each (80), then what still fits of the smaller (100).
  EXPECT_EQ(share_budget({{"a", 10 * mib, 0, 9}, {"b", 30 * mib, 0, 9}}, 100 * mib), (Depths{4, 2}));
}

TEST(Budget, sets_fixed_variables_and_messages_aside_first) {
  EXPECT_EQ(share_budget({{"a", 10 * mib, 35 * mib, 9}}, 60 * mib), Depths{2});
}

TEST(Budget, is_enough_when_one_record_of_each_fits_exactly) {
  EXPECT_EQ(share_budget({{"a", 10, 5, 0}, {"b", 20, 0, 0}}, 35), (Depths{1, 1}));
}

TEST(Budget, gives_a_node_without_blocks_a_ring_all_the_same) {
  EXPECT_EQ(share_budget({{"elsewhere", 0, 0, 0}}, mib), Depths{2});
  EXPECT_EQ(share_budget({}, mib), Depths{});
}

TEST(Budget, leaves_what_later_ones_want_and_gives_each_a_record_all_the_same) {
  const std::vector<Demand> demands{{"a", 10 * mib, 0, 9}, {"b", 30 * mib, 0, 9}};
  EXPECT_EQ(share_budget(demands, 100 * mib, 0, 20 * mib), (Depths{2, 2}));
  EXPECT_EQ(share_budget(demands, 100 * mib, 0, 60 * mib), (Depths{1, 1}));
  EXPECT_EQ(share_budget(demands, 100 * mib, 0, 90 * mib), (Depths{1, 1}));
}

TEST(Budget, lets_those_with_auto_hold_more_while_a_burst_lasts) {
  const std::vector<Demand> demands{{"history", 20 * mib, 0, 0}, {"restart", 100 * mib, 0, 0}, {"series", mib, 0, 3}};
  EXPECT_EQ(share_for_bursts(demands, {2, 2, 3}, 500 * mib), (Depths{5, 4, 0}));
  EXPECT_EQ(share_for_bursts(demands, {2, 2, 3}, 19 * mib), (Depths{0, 0, 0}));
  EXPECT_EQ(share_for_bursts({{"small", 4096, 0, 0}}, {auto_records}, 500 * mib), Depths{0});
}

TEST(Budget, lets_bursts_have_no_more_states_than_their_blocks_are_worth) {
  EXPECT_EQ(share_for_bursts({{"many", mib, 0, 0, burst_blocks / 10}}, {2}, 500 * mib), Depths{8});
}

TEST(Budget, knows_what_is_wanted_and_what_depths_take) {
  const std::vector<Demand> demands{{"a", 100, 7, 5}, {"b", 20 * mib, 1, 0}};
  EXPECT_EQ(wanted_bytes(demands), 508 + 40 * mib);
  EXPECT_EQ(bytes_of(demands, {1, 3}), 108 + 60 * mib);
}

TEST(Budget, that_is_too_small_lists_what_each_collection_needs_and_what_would_do) {
  try {
    share_budget({{"history", 3 * mib, 512, 0}, {"restart", 5 * mib, 0, 3}}, 4 * mib);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_MEMORY);
    const std::string text = error.what();
    for (const char* part :
         {"4 MiB (4194304 bytes)", "(8389120 bytes)", "'history': 3 MiB a record, 512 bytes of fixed",
          "'restart': 5 MiB a record", "set 'staging: 9 MiB' or more"})
      EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
  }
}

TEST(ReadableBytes, use_the_largest_unit_that_leaves_a_whole_part) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(1023), "1023 bytes");
  EXPECT_EQ(readable_bytes(1024), "1 KiB");
  EXPECT_EQ(readable_bytes(1536 * mib), "1.5 GiB");
  EXPECT_EQ(readable_bytes(mib * 1024 * 1024 * 5000), "5000 TiB");
}

}  // namespace
}  // namespace thalweg::staging
