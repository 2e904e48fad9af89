#include "block/slot_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace thalweg::block {
namespace {

// Rows of a variable with rows of `row_bytes` (of 8-byte elements), of which the block has `row_part` bytes.
BlockMap rows(std::int64_t count, std::int64_t row_bytes, std::int64_t row_part) {
  return map_array({count, row_bytes / 8}, {{0, 0}, {count, row_part / 8}}, 8);
}
BlockMap bytes(std::int64_t count) {
  return map_array({count}, {{0}, {count}}, 1);
}

SlotLayout layout_of(const std::vector<BlockMap>& maps, const std::vector<std::int64_t>& starts) {
  std::vector<SlotBlock> blocks;
  for (std::size_t i = 0; i < maps.size(); ++i) blocks.push_back({starts[i], &maps[i]});
  return lay_out_slot(blocks);
}

TEST(SlotLayout, of_nothing_is_a_page_all_the_same) {
  const SlotLayout layout = lay_out_slot({});
  EXPECT_TRUE(layout.offset.empty());
  EXPECT_EQ(layout.bytes, page_bytes);
}

TEST(SlotLayout, takes_whole_pages) {
  EXPECT_EQ(layout_of({bytes(1)}, {0}).bytes, page_bytes);
  EXPECT_EQ(layout_of({bytes(page_bytes)}, {0}).bytes, page_bytes);
  EXPECT_EQ(layout_of({bytes(page_bytes + 1)}, {0}).bytes, 2 * page_bytes);
}

TEST(SlotLayout, puts_a_block_with_long_runs_where_it_agrees_with_the_file) {
  const SlotLayout layout = layout_of({bytes(direct_run_bytes)}, {3 * page_bytes + 777});
  EXPECT_EQ(layout.offset, std::vector<std::int64_t>{777});
}

TEST(SlotLayout, leaves_a_page_to_spare_behind_a_block_with_long_runs) {
  const SlotLayout layout = layout_of({bytes(direct_run_bytes), bytes(8), bytes(direct_run_bytes)},
                                      {0, direct_run_bytes, direct_run_bytes + 8});
  EXPECT_EQ(layout.offset[1], direct_run_bytes + page_bytes);
  EXPECT_GE(layout.offset[2], layout.offset[1] + 8);
  EXPECT_GE(layout.bytes, layout.offset[2] + direct_run_bytes + page_bytes);
}

TEST(SlotLayout, moves_only_blocks_with_long_runs_with_their_record) {
  EXPECT_TRUE(is_shifted(bytes(direct_run_bytes)));
  EXPECT_TRUE(is_shifted(rows(3, 2 * direct_run_bytes, direct_run_bytes)));
  EXPECT_FALSE(is_shifted(bytes(direct_run_bytes - 1)));
  EXPECT_FALSE(is_shifted(rows(100, direct_run_bytes, direct_run_bytes / 2)));
}

TEST(SlotLayout, packs_blocks_with_short_runs_at_multiples_of_eight) {
  const SlotLayout layout = layout_of({bytes(13), bytes(6), bytes(3)}, {1000, 5000, 9001});
  EXPECT_EQ(layout.offset, (std::vector<std::int64_t>{0, 16, 24}));
}

TEST(SlotLayout, keeps_short_neighbours_in_the_file_together_in_whatever_order_they_come) {
  const SlotLayout layout = layout_of({bytes(10), bytes(7), bytes(5)}, {1012, 1005, 1000});
  EXPECT_EQ(layout.offset, (std::vector<std::int64_t>{12, 5, 0}));
}

TEST(SlotLayout, takes_a_block_of_several_runs_for_nobody_s_neighbour) {
  const BlockMap gappy = rows(2, 48, 40);
  ASSERT_EQ(gappy.run_count, 2);
  const SlotLayout layout = layout_of({bytes(4), gappy, bytes(8)}, {0, 100, 100 + gappy.bytes});
  EXPECT_EQ(layout.offset, (std::vector<std::int64_t>{0, 8, 8 + gappy.bytes}));
  EXPECT_EQ(layout.offset[2] % 8, 0);
}

TEST(SlotLayout, obeys_its_rules_for_random_blocks) {
  std::mt19937 random(4);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<BlockMap> maps;
    std::vector<std::int64_t> starts;
    std::int64_t at = draw(0, 10'000) * 4;
    for (std::int64_t i = draw(1, 12); i > 0; --i) {
      const std::int64_t row = 8 * draw(1, draw(0, 1) == 0 ? 50 : 20'000);
      maps.push_back(rows(draw(1, 3), row + 8 * draw(0, 1), row));
      starts.push_back(at);
      at += maps.back().bytes + (draw(0, 1) == 0 ? 0 : 4 * draw(1, 5000));
    }
    const SlotLayout layout = layout_of(maps, starts);
    // No shift of a block by up to a page may reach another one, whatever that one's shift is.
    std::int64_t reach = 0;
    for (std::size_t i = 0; i < maps.size(); ++i) {  // they were made in the order of the file
      ASSERT_GE(layout.offset[i], reach);
      if (is_shifted(maps[i])) {
        ASSERT_EQ((layout.offset[i] - starts[i]) % page_bytes, 0);
      }
      reach = layout.offset[i] + maps[i].bytes + (is_shifted(maps[i]) ? page_bytes - 1 : 0);
    }
    ASSERT_GE(layout.bytes, reach);
    ASSERT_EQ(layout.bytes % page_bytes, 0);
  }
}

}  // namespace
}  // namespace thalweg::block
