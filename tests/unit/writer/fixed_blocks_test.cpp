// Fixed blocks by themselves: what a file gets of them, and when they may change.
#include <gtest/gtest.h>

#include <optional>

#include "writer/fixed_blocks.hpp"
#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using staging::SettledFiles;

// Two fixed blocks of one piece, of which clients put the first; encoded or not.
struct Fixed {
  explicit Fixed(bool is_encoded = false) {
    sample::Definition definition = sample::chunked_field(6, 5, {2, 5});
    definition.format = config::format_named("netcdf4");
    collection.emplace(node, std::move(definition), sample::Options{.pieces = 1});
    block::CollectionPlan& plan = collection->plan();
    plan.fixed_blocks.assign(2, plan.record_blocks[0]);
    plan.fixed_blocks[1].expected = 0;
    for (block::PlannedBlock& block : plan.fixed_blocks) block.encoding.shuffle = is_encoded;
    if (is_encoded)
      for (block::PlannedBlock& block : plan.fixed_blocks) block.encoding.codec = config::codec_named("zstd");
    collection->start();
    for (const auto by : {SettledFiles::By::puts, SettledFiles::By::receipts}) settled().settle(0, by, 0);
    blocks.emplace(collection->plan());
  }
  void put_first() {
    collection->plan().rings.arrive({block::fixed_record, 0}, 1, 1, 7);
    blocks->add_ready(0);
  }
  SettledFiles settled() const { return SettledFiles(collection->plan().rings.fixed()); }

  sample::Node node{1};
  std::optional<sample::Collection> collection;
  std::optional<FixedBlocks> blocks;
};

TEST(FixedBlocks, that_nobody_feeds_are_ready_from_the_start) {
  Fixed fixed;
  EXPECT_FALSE(fixed.blocks->may_write(0, 0));
  EXPECT_TRUE(fixed.blocks->may_write(1, 0));
  fixed.put_first();
  EXPECT_TRUE(fixed.blocks->may_write(0, 0));
}

TEST(FixedBlocks, go_to_the_first_file_at_once_and_to_later_ones_when_all_have_settled_them) {
  Fixed fixed;
  EXPECT_TRUE(fixed.blocks->is_settled(0));
  EXPECT_FALSE(fixed.blocks->is_settled(1));
  fixed.settled().settle(0, SettledFiles::By::puts, 3);
  EXPECT_FALSE(fixed.blocks->is_settled(1)) << "something may come by message";
  fixed.settled().settle(0, SettledFiles::By::receipts, 2);
  EXPECT_TRUE(fixed.blocks->is_settled(1));
  EXPECT_FALSE(fixed.blocks->is_settled(2));
}

TEST(FixedBlocks, go_to_one_file_after_the_other_and_take_values_in_between) {
  Fixed fixed;
  fixed.put_first();
  EXPECT_FALSE(fixed.settled().takes_values(0, 1)) << "the first file has not got them";
  EXPECT_FALSE(fixed.blocks->may_write(0, 1));
  fixed.blocks->note_written(0);
  EXPECT_FALSE(fixed.blocks->may_write(0, 0)) << "it is there";
  EXPECT_TRUE(fixed.blocks->may_write(0, 1));
  EXPECT_TRUE(fixed.settled().takes_values(0, 1));
  EXPECT_FALSE(fixed.settled().takes_values(0, 2));
}

TEST(FixedBlocks, have_the_sum_of_what_they_hold) {
  Fixed fixed;
  fixed.put_first();
  fixed.settled().renew(0, std::uint64_t{3} - 7);
  EXPECT_EQ(sum_of_arrivals(fixed.collection->plan(), {{block::fixed_record, 0}}), 3U);
}

TEST(FixedBlocks, are_encoded_again_once_for_the_file_for_which_they_have_changed) {
  Fixed fixed(true);
  fixed.put_first();
  EXPECT_TRUE(fixed.blocks->take_outdated(0).empty()) << "it was encoded when it was complete";
  fixed.blocks->note_written(0);
  EXPECT_TRUE(fixed.blocks->take_outdated(1).empty()) << "it is the same";
  fixed.settled().renew(0, 1);
  EXPECT_TRUE(fixed.blocks->take_outdated(0).empty()) << "the first file has it";
  EXPECT_EQ(fixed.blocks->take_outdated(1), std::vector<std::int64_t>{0});
  EXPECT_FALSE(fixed.blocks->may_write(0, 1)) << "it is being encoded";
  EXPECT_TRUE(fixed.blocks->take_outdated(1).empty());
  fixed.blocks->add_ready(0);
  EXPECT_TRUE(fixed.blocks->may_write(0, 1));
}

TEST(FixedBlocks, that_are_not_encoded_are_never_encoded_again) {
  Fixed fixed;
  fixed.put_first();
  fixed.blocks->note_written(0);
  fixed.settled().renew(0, 1);
  EXPECT_TRUE(fixed.blocks->take_outdated(1).empty());
  EXPECT_TRUE(fixed.blocks->may_write(0, 1));
}

}  // namespace
}  // namespace thalweg::writer
