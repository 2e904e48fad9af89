// The encoding stage by itself, and what it knows of the sizes of chunks.
#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "writer/encoding_stage.hpp"
#include "writer/fill_only_blocks.hpp"
#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

const catalog::Encoding compressed{.codec = config::codec_named("zstd"), .level = 1};

// A field of three blocks of two chunks each, and one thread that encodes them.
struct Stage {
  Stage() {
    sample::Definition definition = sample::chunked_field(6, 400, {2, 200});
    definition.variables[0].encoding = compressed;
    collection.emplace(node, std::move(definition), sample::Options{.chunks_along = 2});
    // The second dimension is not cut: chunks of a row are one block.
  }
  void start() {
    collection->start();
    sizes.emplace(plan());
    pool.emplace(1, std::vector<int>{}, [this](const Error& error) { node.control->failures.report_writer(error); });
    stage.emplace(plan(), *sizes, *pool, node.control->wake_ups, counters);
  }
  ~Stage() { pool.reset(); }

  block::CollectionPlan& plan() { return collection->plan(); }
  std::byte* data(std::int64_t block) {
    EXPECT_TRUE(collection->takes_pieces(0, block));
    return collection->block_data(0, 0, plan().record_blocks[static_cast<std::size_t>(block)]);
  }
  // What the thread has begun is through when it begins the next.
  void wait_for_pool() {
    std::atomic<bool> is_through = false;
    pool->submit([&](transform::EncodingTools&) {
      is_through = true;
      is_through.notify_all();
    });
    is_through.wait(false);
  }
  std::vector<std::int64_t> take() {
    std::vector<std::int64_t> blocks;
    stage->take_encoded([&](const ReadyBlock& ready) { blocks.push_back(ready.block); });
    return blocks;
  }

  sample::Node node{1};
  std::optional<sample::Collection> collection;
  profile::WriterCounters counters;
  std::optional<ChunkSizes> sizes;
  std::optional<Pool> pool;
  std::optional<EncodingStage> stage;
};

TEST(EncodingStage, gives_each_block_back_once_with_its_sizes) {
  Stage one;
  one.start();
  one.collection->put_all(0, 0);
  const std::int64_t blocks = std::ssize(one.plan().record_blocks);
  ASSERT_GT(blocks, 1);
  for (std::int64_t b = 0; b < blocks; ++b) one.stage->begin({0, b}, one.data(b));
  one.wait_for_pool();
  EXPECT_EQ(one.sizes->of({0, 0}), nullptr) << "it is through, and not taken";
  const std::vector<std::int64_t> taken = one.take();
  EXPECT_EQ(std::ssize(taken), blocks);
  EXPECT_EQ(one.take(), std::vector<std::int64_t>{});
  std::int64_t bytes = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    ASSERT_NE(one.sizes->of({0, b}), nullptr);
    EXPECT_EQ(std::ssize(*one.sizes->of({0, b})), one.plan().record_blocks[static_cast<std::size_t>(b)].map.run_count);
    for (const transform::EncodedSize& size : *one.sizes->of({0, b})) bytes += size.bytes;
  }
  EXPECT_EQ(one.counters.encoded_bytes, bytes);
  EXPECT_EQ(one.counters.raw_bytes, 6 * 400 * 4);
  EXPECT_LT(bytes, one.counters.raw_bytes);
}

// What is told of one block does not depend on those that are through at the same time.
TEST(EncodingStage, knows_sizes_of_a_block_only_when_its_turn_has_come) {
  Stage one;
  one.start();
  one.collection->put_all(0, 0);
  for (const std::int64_t b : {0, 1}) one.stage->begin({0, b}, one.data(b));
  one.wait_for_pool();
  std::vector<std::pair<bool, bool>> known;
  EXPECT_TRUE(one.stage->take_encoded([&](const ReadyBlock&) {
    known.emplace_back(one.sizes->of({0, 0}) != nullptr, one.sizes->of({0, 1}) != nullptr);
  }));
  EXPECT_EQ(known, (std::vector<std::pair<bool, bool>>{{true, false}, {true, true}}));
}

TEST(EncodingStage, has_a_fixed_block_until_it_is_taken) {
  Stage one;
  one.plan().fixed_blocks = {one.plan().record_blocks[0]};
  one.start();
  EXPECT_FALSE(one.stage->has_fixed());
  one.stage->begin({block::fixed_record, 0}, one.plan().rings.fixed().room_data(0));
  one.stage->begin({0, 1}, one.data(1));
  one.wait_for_pool();
  EXPECT_TRUE(one.stage->has_fixed()) << "it is through, and not taken";
  one.take();
  EXPECT_FALSE(one.stage->has_fixed());
  EXPECT_NE(one.sizes->of({block::fixed_record, 0}), nullptr);
}

TEST(EncodingStage, gives_no_block_back_of_which_a_chunk_cannot_be_encoded) {
  Stage one;
  one.plan().record_blocks[0].encoding.level = 99;
  one.start();
  one.stage->begin({0, 0}, one.data(0));
  one.stage->begin({0, 1}, one.data(1));
  one.wait_for_pool();
  EXPECT_EQ(one.take(), (std::vector<std::int64_t>{1}));
  EXPECT_TRUE(one.node.control->failures.has_writer_failed());
}

// ---- what is told of sizes

transform::EncodedSize bytes(std::int64_t number) {
  return {.bytes = number};
}

TEST(ChunkSizes, are_told_once_and_when_those_of_all_blocks_are_known) {
  Stage one;
  one.plan().record_blocks.resize(2);
  ChunkSizes sizes(one.plan());
  ASSERT_TRUE(sizes.owner_waits(0));
  sizes.keep({0, 1}, {bytes(30), {.bytes = 40, .codec_skipped = true}});
  EXPECT_EQ(sizes.take_untold(0, true), std::nullopt);
  sizes.keep({0, 0}, {bytes(10), bytes(20)});
  EXPECT_EQ(sizes.take_untold(0, true), (std::vector<std::int64_t>{20, 40, 60, 81}));
  EXPECT_EQ(sizes.take_untold(0, true), std::nullopt);
  EXPECT_EQ(sizes.take_untold(1, true), std::nullopt);
}

TEST(ChunkSizes, of_a_record_of_another_writer_are_none_and_told_once) {
  Stage one;
  staging::SharedMemory memory = staging::SharedMemory::create(staging::RecordAssignment::bytes_for(2));
  one.plan().assignment = staging::RecordAssignment(2, 3, memory.data());
  ChunkSizes sizes(one.plan());
  EXPECT_EQ(sizes.take_untold(0, false), std::vector<std::int64_t>{});
  EXPECT_EQ(sizes.take_untold(0, false), std::nullopt);
}

TEST(ChunkSizes, of_fill_only_blocks_are_those_of_every_record_and_outlive_them) {
  Stage one;
  for (block::PlannedBlock& block : one.plan().record_blocks) block.expected = 0;
  one.collection->start();
  ChunkSizes sizes(one.plan());
  const FillOnlyBlocks fill_only(one.plan(), sizes);
  const auto told = sizes.take_untold(0, true);
  ASSERT_TRUE(told);
  sizes.keep({5, 0}, *sizes.of({0, 0}));
  sizes.forget(9);
  EXPECT_EQ(sizes.take_untold(9, true), told);
  EXPECT_NE(fill_only.data({9, 0}), nullptr);
  EXPECT_EQ(fill_only.data({block::fixed_record, 0}), nullptr);
}

TEST(ChunkSizes, of_done_records_are_forgotten) {
  Stage one;
  ChunkSizes sizes(one.plan());
  for (const std::int64_t record : {3, 4}) sizes.keep({record, 0}, {bytes(10), bytes(20)});
  sizes.forget(4);
  EXPECT_EQ(sizes.of({3, 0}), nullptr);
  EXPECT_NE(sizes.of({4, 0}), nullptr);
}

}  // namespace
}  // namespace thalweg::writer
