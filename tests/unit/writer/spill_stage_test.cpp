// The spill stage by itself: blocks that leave their slots, with and without room for them.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "writer/sample_desk.hpp"
#include "writer/spill_stage.hpp"

namespace thalweg::writer {
namespace {

constexpr std::int64_t spill_depth = 2;
constexpr std::uint64_t said_sum = 7;

// A field of three blocks of which the first is large enough to be shifted in its slot.
struct SpillSample {
  explicit SpillSample(std::int64_t limit = 1 << 20) {
    sample::Definition definition = sample::chunked_field(6, 20000, {2, 20000});
    definition.format = config::format_named("cdf5");
    collection.emplace(node, std::move(definition), sample::Options{.depth = spill_depth, .piece_sum = said_sum});
    collection->start();
    spill.emplace(config::SpillSettings{folder / "", limit});
    sizes.emplace(plan());
    stage.emplace(plan(), *sizes, *spill, counters);
  }
  block::CollectionPlan& plan() { return collection->plan(); }
  const block::PlannedBlock& block(std::int64_t number) {
    return plan().record_blocks[static_cast<std::size_t>(number)];
  }
  // What a block of a record is, that lies in its slot.
  std::string bytes_of(std::int64_t record, std::int64_t number) {
    const std::byte* data = collection->block_data(record, record, block(number));
    return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(block(number).map.bytes)};
  }
  // The same, of one that has left it.
  std::string bytes_of(const ReadyBlock& ready) {
    const std::byte* data = ready.copy + plan().page_shift(ready.block, ready.moment);
    return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(block(ready.block).map.bytes)};
  }

  sample::Folder folder;
  sample::Node node{1};
  std::optional<sample::Collection> collection;
  profile::WriterCounters counters;
  std::optional<Spill> spill;
  std::optional<ChunkSizes> sizes;
  std::optional<SpillStage> stage;
};

TEST(SpillStage, gives_a_saved_block_back_when_its_slot_has_another_record) {
  SpillSample one;
  one.collection->put_all(1, 1);
  const std::string before = one.bytes_of(1, 0);
  ReadyBlock ready{1, 0};
  ASSERT_TRUE(one.stage->save(ready));
  EXPECT_TRUE(ready.saved);
  EXPECT_EQ(one.counters.spilled_bytes, ready.saved_bytes);
  ASSERT_TRUE(one.collection->is_open(1 + spill_depth, 0));
  one.collection->put(1 + spill_depth, 1 + spill_depth, 0, 0);
  std::vector<ReadyBlock> batch{ready};
  one.stage->move_out(batch);
  EXPECT_EQ(one.bytes_of(batch[0]), before);
  EXPECT_EQ(sum_of_arrivals(one.plan(), batch[0]), said_sum);
  EXPECT_TRUE(one.collection->is_open(1 + spill_depth, 0)) << "the next record's block stays where it is";
}

TEST(SpillStage, leaves_a_block_in_its_slot_when_there_is_no_room) {
  SpillSample one(1);
  one.collection->put_all(0, 0);
  const std::string before = one.bytes_of(0, 1);
  ReadyBlock ready{0, 1};
  EXPECT_FALSE(one.stage->save(ready));
  EXPECT_FALSE(ready.saved);
  EXPECT_EQ(one.counters.spilled_bytes, 0);
  EXPECT_TRUE(one.collection->is_open(0, 1));
  std::vector<ReadyBlock> batch{ready};
  one.stage->move_out(batch);
  EXPECT_EQ(one.bytes_of(batch[0]), before);
  EXPECT_TRUE(one.collection->is_open(spill_depth, 1)) << "it is copied all the same, and its slot free";
}

TEST(SpillStage, has_room_again_when_a_saved_block_is_moved_out) {
  SpillSample one(170000);  // of one block
  one.collection->put_all(0, 0);
  std::vector<ReadyBlock> batch{{0, 0}};
  ReadyBlock second{0, 1};
  ASSERT_TRUE(one.stage->save(batch[0]));
  EXPECT_FALSE(one.stage->save(second));
  one.stage->move_out(batch);
  EXPECT_TRUE(one.stage->save(second));
}

TEST(SpillStage, keeps_the_place_in_the_page_and_blocks_of_a_batch_apart) {
  SpillSample one;
  one.collection->put_all(0, 0);
  std::vector<ReadyBlock> batch{{0, 0}, {0, 1}, {0, 2}};
  std::vector<std::string> before;
  for (const std::int64_t b : {0, 1, 2}) before.push_back(one.bytes_of(0, b));
  ASSERT_TRUE(one.stage->save(batch[1]));  // a mixed batch
  one.stage->move_out(batch);
  for (const ReadyBlock& ready : batch) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(ready.copy) % block::page_bytes,
              static_cast<std::uintptr_t>(one.block(ready.block).slot_offset % block::page_bytes));
    EXPECT_EQ(one.bytes_of(ready), before[static_cast<std::size_t>(ready.block)]);
  }
}

TEST(SpillStage, leaves_fill_only_blocks_where_they_are) {
  SpillSample one;
  one.plan().record_blocks[1].expected = 0;
  one.collection->put_all(0, 0);
  std::vector<ReadyBlock> batch{{0, 0}, {0, 1}};
  one.stage->move_out(batch);
  EXPECT_NE(batch[0].copy, nullptr);
  EXPECT_EQ(batch[1].copy, nullptr);
  EXPECT_TRUE(one.collection->is_open(0, 1));
}

TEST(SpillStage, saves_of_an_encoded_block_what_its_chunks_have_become) {
  SpillSample one;
  one.collection->put_all(0, 0);
  one.sizes->keep({0, 0}, {transform::EncodedSize{.bytes = 100}});
  const std::string before = one.bytes_of(0, 0);
  ReadyBlock ready{0, 0};
  ASSERT_TRUE(one.stage->save(ready));
  EXPECT_EQ(ready.saved_bytes, 100);
  std::vector<ReadyBlock> batch{ready};
  one.stage->move_out(batch);
  EXPECT_EQ(one.bytes_of(batch[0]).substr(0, 100), before.substr(0, 100));
}

}  // namespace
}  // namespace thalweg::writer
