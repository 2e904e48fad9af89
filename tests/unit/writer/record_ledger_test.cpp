// The ledger of records by itself: what may be written, whose it is, and what is written.
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "writer/record_ledger.hpp"
#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

constexpr std::int64_t ring_depth = 2;
constexpr std::int64_t blocks = 3;  // of a record
constexpr std::int64_t everything = std::numeric_limits<std::int64_t>::max();

// Three blocks of two rows each, in memory of a node; nothing is put into them.
struct Records {
  Records() {
    sample::Definition definition = sample::chunked_field(6, 5, {2, 5});
    definition.format = config::format_named("cdf5");
    collection.emplace(node, std::move(definition), sample::Options{.depth = ring_depth});
    collection->start();
  }
  // Now the first block of a record is pinned, the others are whose the record is.
  void share_records(bool keeps) {
    plan().assignment = staging::RecordAssignment(ring_depth, blocks - 1, assignment_memory.data());
    plan().pinned_blocks = 1;
    plan().has_pinned = keeps;
    plan().assignee = 1;
  }
  block::CollectionPlan& plan() { return collection->plan(); }

  sample::Node node{1};
  std::optional<sample::Collection> collection;
  staging::SharedMemory assignment_memory =
      staging::SharedMemory::create(staging::RecordAssignment::bytes_for(ring_depth));
};

block::PlaceRecord placed(std::int64_t record, std::int64_t file, std::int64_t index_in_file) {
  return {.record = record, .file = file, .index_in_file = index_in_file, .offsets = {}};
}

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;  // record and block

Pairs taken(RecordLedger& ledger, std::int64_t bytes = everything, std::int64_t last_file = everything) {
  Pairs pairs;
  for (const ReadyBlock& ready : ledger.take_batch(bytes, [&](std::int64_t file) { return file <= last_file; }).blocks)
    pairs.emplace_back(ready.moment, ready.block);
  return pairs;
}

TEST(RecordLedger, gives_a_block_when_its_record_is_placed_and_the_file_is_open) {
  Records records;
  RecordLedger ledger(records.plan());
  ledger.add_ready({0, 1});
  EXPECT_EQ(taken(ledger), Pairs{});
  ledger.place(placed(0, 5, 0));
  EXPECT_EQ(taken(ledger, everything, 4), Pairs{}) << "file 5 is not open";
  EXPECT_EQ(taken(ledger), (Pairs{{0, 1}}));
  EXPECT_EQ(taken(ledger), Pairs{}) << "it was given";
}

TEST(RecordLedger, gives_blocks_of_one_file_and_about_as_many_as_asked) {
  Records records;
  RecordLedger ledger(records.plan());
  ledger.place(placed(0, 0, 0));
  ledger.place(placed(1, 1, 0));
  for (const auto& [record, block] : Pairs{{1, 0}, {0, 0}, {0, 1}, {1, 1}, {0, 2}}) ledger.add_ready({record, block});
  EXPECT_EQ(taken(ledger), (Pairs{{1, 0}, {1, 1}}));
  const std::int64_t bytes = records.plan().record_blocks[0].map.bytes;
  EXPECT_EQ(taken(ledger, bytes), (Pairs{{0, 0}}));
  EXPECT_EQ(taken(ledger, bytes + 1), (Pairs{{0, 1}, {0, 2}})) << "the last one may go beyond it";
}

TEST(RecordLedger, gives_nothing_of_a_record_that_is_not_due) {
  Records records;
  records.plan().rings.moments().initialise_due(1);
  RecordLedger ledger(records.plan());
  for (const std::int64_t record : {0, 1}) {
    ledger.place(placed(record, 0, record));
    ledger.add_ready({record, 0});
  }
  EXPECT_EQ(taken(ledger), (Pairs{{0, 0}}));
  records.plan().rings.moments().ask_for(2);
  EXPECT_EQ(taken(ledger), (Pairs{{1, 0}}));
}

TEST(RecordLedger, holds_small_records_back_until_they_are_whole) {
  Records records;
  records.plan().whole_records = true;
  RecordLedger ledger(records.plan());
  ledger.place(placed(0, 0, 0));
  ledger.add_ready({0, 2});
  ledger.add_ready({0, 0});
  EXPECT_EQ(taken(ledger), Pairs{});
  ledger.add_ready({0, 1});
  EXPECT_EQ(taken(ledger), (Pairs{{0, 2}, {0, 0}, {0, 1}}));
}

TEST(RecordLedger, gives_a_procedure_one_record_after_the_other) {
  Records records;
  records.plan().files.callback = std::make_shared<const block::Callback>();
  RecordLedger ledger(records.plan());
  for (const std::int64_t record : {1, 0}) {
    ledger.place(placed(record, 0, record));
    for (std::int64_t b = 0; b < blocks; ++b) ledger.add_ready({record, b});
  }
  EXPECT_EQ(taken(ledger), (Pairs{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(taken(ledger), Pairs{}) << "the record before it is not written";
  for (std::int64_t b = 0; b < blocks; ++b) ledger.count_written({0, b});
  ASSERT_TRUE(ledger.may_advance());
  ledger.advance();
  EXPECT_EQ(taken(ledger), (Pairs{{1, 0}, {1, 1}, {1, 2}}));
}

// ---- blocks that left their slots, and such as nobody feeds

TEST(RecordLedger, gives_a_saved_block_although_its_slot_is_the_next_records) {
  Records records;
  RecordLedger ledger(records.plan());
  ledger.add_ready({0, 0});
  ledger.add_ready({0, 1});
  ledger.place(placed(0, 0, 0));
  ASSERT_NE(ledger.oldest_in_slot(), nullptr);
  EXPECT_EQ(ledger.oldest_in_slot()->block, 0);
  ledger.oldest_in_slot()->saved = 0;
  for (const std::int64_t b : {0, 1}) records.plan().rings.moments().release(0, b);
  ASSERT_NE(ledger.oldest_in_slot(), nullptr);
  EXPECT_EQ(ledger.oldest_in_slot()->block, 1) << "the first one is saved";
  EXPECT_EQ(taken(ledger), (Pairs{{0, 0}}));
}

TEST(RecordLedger, has_fill_only_blocks_ready_with_the_place_and_saves_none_of_them) {
  Records records;
  records.plan().record_blocks[1].expected = 0;
  RecordLedger ledger(records.plan());
  EXPECT_EQ(ledger.oldest_in_slot(), nullptr);
  for (const std::int64_t record : {0, 2}) ledger.place(placed(record, 0, record));
  EXPECT_EQ(ledger.oldest_in_slot(), nullptr) << "clients wait for none of them";
  EXPECT_EQ(taken(ledger), (Pairs{{0, 1}}));
  records.plan().rings.moments().release(0, 1);
  EXPECT_EQ(taken(ledger), (Pairs{{2, 1}})) << "its slot is free now";
}

// ---- records that may be any writer's

TEST(RecordLedger, of_another_writers_record_waits_for_pinned_blocks_only) {
  for (const bool keeps : {false, true}) {
    Records records;
    records.share_records(keeps);
    RecordLedger ledger(records.plan());
    EXPECT_EQ(ledger.assignment(0), std::nullopt);
    ledger.place(placed(0, 0, 0));
    EXPECT_FALSE(ledger.may_advance()) << "it is not known whose the record is";
    EXPECT_TRUE(ledger.assign(0, false));
    EXPECT_FALSE(ledger.assign(0, false)) << "it is known";
    EXPECT_EQ(ledger.may_advance(), !keeps);
    if (!keeps) continue;
    ledger.count_written({0, 0});
    EXPECT_TRUE(ledger.may_advance());
  }
}

TEST(RecordLedger, has_assigned_fill_only_blocks_with_the_later_of_place_and_assignment) {
  for (const bool place_first : {false, true}) {
    Records records;
    records.share_records(true);
    for (const std::size_t b : {0, 2}) records.plan().record_blocks[b].expected = 0;
    RecordLedger ledger(records.plan());
    if (place_first)
      ledger.place(placed(0, 0, 0));
    else
      ledger.assign(0, true);
    EXPECT_EQ(taken(ledger), place_first ? (Pairs{{0, 0}}) : Pairs{});
    if (place_first)
      ledger.assign(0, true);
    else
      ledger.place(placed(0, 0, 0));
    EXPECT_EQ(taken(ledger), place_first ? (Pairs{{0, 2}}) : (Pairs{{0, 0}, {0, 2}}));
  }
}

TEST(RecordLedger, learns_of_each_record_once_and_that_forgotten_assignments_were_of_others) {
  Records records;
  records.share_records(false);
  RecordLedger ledger(records.plan());
  staging::RecordAssignment& assignment = records.plan().assignment;
  EXPECT_EQ(ledger.learn_assignments(), std::vector<std::int64_t>{});
  for (std::int64_t record = 0; record < 3 * ring_depth; ++record) {
    ASSERT_TRUE(assignment.assign(record, record == 0 || record == 5 ? 1 : 0));
    for (int b = 0; b < blocks - 1; ++b) assignment.complete_block(record);
    if (record == 0) ledger.assign(record, true);  // its block was announced
  }
  EXPECT_EQ(ledger.learn_assignments(), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(ledger.assignment(0), true);
  EXPECT_EQ(ledger.assignment(1), false);
  EXPECT_EQ(ledger.assignment(5), true);
  EXPECT_EQ(ledger.learn_assignments(), std::vector<std::int64_t>{});
}

// ---- what is written

TEST(RecordLedger, knows_a_record_as_written_when_all_writers_have_told_it) {
  Records records;
  records.plan().files.other_writers = 2;
  RecordLedger ledger(records.plan());
  ledger.place(placed(0, 0, 0));
  for (std::int64_t b = 0; b < blocks; ++b) {
    EXPECT_FALSE(ledger.may_advance());
    ledger.count_written({0, b});
  }
  ledger.other_writer_wrote(0);
  ledger.other_writer_wrote(0);
  EXPECT_FALSE(ledger.is_written_everywhere(0)) << "not here";
  ASSERT_TRUE(ledger.may_advance());
  ledger.advance();
  EXPECT_TRUE(ledger.is_written_everywhere(0));
  EXPECT_FALSE(ledger.is_written_everywhere(1));
}

TEST(RecordLedger, forgets_what_is_done_and_nothing_else) {
  Records records;
  RecordLedger ledger(records.plan());
  for (const std::int64_t record : {0, 1, 2}) ledger.place(placed(record, 0, record));
  ledger.forget(2);
  EXPECT_EQ(ledger.numbers(), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(ledger.placement(2).index_in_file, 2);
}

}  // namespace
}  // namespace thalweg::writer
