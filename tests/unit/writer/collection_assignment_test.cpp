// A writer that is one of two of its node, of a collection whose records go to either.
#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using catalog::Variable;
using config::Format;
using config::format_named;
using formats::sample::expect_copy;
using sample::Definition;

constexpr std::int64_t depth = 2;
constexpr int other = 0;
constexpr int own = 1;

// The first block is pinned to one writer, the three others of a record are assigned.
Definition definition(Format format, bool compressed) {
  Definition definition;
  definition.format = format;
  definition.record_dimension = "time";
  definition.dimensions = {{"y", 6}, {"x", 37}};
  for (const char* name : {"a", "b"})
    definition.variables.push_back({.name = name,
                                    .type = Type::float32,
                                    .has_record = true,
                                    .dimensions = {0, 1},
                                    .attributes = {},
                                    .is_chunked = true,
                                    .chunk = {3, 37}});
  if (compressed) definition.variables[1].encoding = {.codec = config::codec_named("zstd"), .level = 1};
  return definition;
}

struct OneOfTwo {
  explicit OneOfTwo(bool keeps, Format format = format_named("cdf5"), bool compressed = false, std::uint32_t fed = 1)
      : desk(definition(format, compressed), {.depth = depth, .owns_files = false}),
        memory(staging::SharedMemory::create(staging::RecordAssignment::bytes_for(depth))) {
    block::CollectionPlan& plan = desk.collection.plan();
    plan.record_blocks.back().expected = fed;
    plan.assignment = staging::RecordAssignment(depth, fed == 0 ? 2 : 3, memory.data());
    plan.pinned_blocks = 1;
    plan.has_pinned = keeps;
    plan.assignee = own;
    desk.start();
    desk.collection.open(0);
  }

  // As far as its blocks come to this writer; the other one frees those that it has.
  void put(std::int64_t record, int writer) {
    block::CollectionPlan& plan = desk.collection.plan();
    ASSERT_TRUE(plan.assignment.may_assign(record));
    ASSERT_TRUE(plan.assignment.assign(record, writer));
    for (std::int64_t b = 0; b < 4; ++b) {
      const bool is_assigned = b >= plan.pinned_blocks;
      const bool is_fed = plan.record_blocks[static_cast<std::size_t>(b)].expected > 0;
      const bool is_own = is_assigned ? writer == own : plan.has_pinned;
      if (is_own && is_fed) desk.collection.put(record, record, b, 0);
      if (!is_own) plan.rings.moments().release(plan.rings.moments().slot_of(record), b);
      if (is_assigned && is_fed) plan.assignment.complete_block(record);
    }
  }

  std::vector<std::int64_t> told() {
    std::vector<std::int64_t> records;
    for (const block::Result& event : desk.node.book.take_results())
      if (const auto* written = std::get_if<block::RecordWritten>(&event)) records.push_back(written->record);
    return records;
  }

  sample::Desk desk;
  staging::SharedMemory memory;
};

// The first two records, placed and put, each assigned to one of the writers.
void expect_two_told(OneOfTwo& one, int first, int second) {
  for (std::int64_t r = 0; r < depth; ++r) {
    one.desk.collection.place(r, 0, r);
    one.put(r, r == 0 ? first : second);
  }
  one.desk.work();
  EXPECT_EQ(one.told(), (std::vector<std::int64_t>{0, 1}));
}

TEST(CollectionAssignment, of_another_writer_are_nothing_to_write_and_told_as_written) {
  OneOfTwo one(false);
  one.desk.collection.place(0, 0, 0);
  one.desk.collection.place(1, 0, 1);
  one.desk.work();
  EXPECT_EQ(one.told(), std::vector<std::int64_t>{}) << "nobody has assigned them";
  one.put(0, other);
  one.desk.work();
  EXPECT_EQ(one.told(), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(one.desk.counters.blocks, 0);
}

TEST(CollectionAssignment, of_its_own_are_written_in_any_order_and_told_in_theirs) {
  OneOfTwo one(false);
  one.put(0, own);
  one.put(1, other);
  one.desk.collection.place(1, 0, 1);
  one.desk.work();
  EXPECT_EQ(one.told(), std::vector<std::int64_t>{});
  one.desk.collection.place(0, 0, 0);
  one.desk.work();
  EXPECT_EQ(one.told(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(one.desk.counters.blocks, 3);
  expect_copy(one.desk.collection.partial_path(0), one.desk.collection.definition(), 0);
}

TEST(CollectionAssignment, leave_it_what_it_keeps) {
  OneOfTwo one(true);
  expect_two_told(one, other, own);
  EXPECT_EQ(one.desk.counters.blocks, 1 + 4);
}

// By then all of them are overwritten by later ones.
TEST(CollectionAssignment, that_it_slept_through_were_of_others) {
  OneOfTwo one(false);
  constexpr std::int64_t records = 5 * depth;
  for (std::int64_t r = 0; r < records; ++r) {
    one.desk.collection.place(r, 0, r);
    one.put(r, other);
  }
  one.desk.work();
  EXPECT_EQ(std::ssize(one.told()), records);
  EXPECT_EQ(one.desk.collection.records_done(), records);
  EXPECT_EQ(one.desk.counters.blocks, 0);
}

TEST(CollectionAssignment, of_its_own_are_remembered_when_they_are_overwritten) {
  OneOfTwo one(false);
  one.put(0, own);
  one.desk.collection.place(1, 0, 1);
  one.put(1, other);
  // It takes its block, but cannot write it before the record has a place; the memory of the assignment is used again.
  one.desk.take_ready();
  block::CollectionPlan& plan = one.desk.collection.plan();
  for (const std::int64_t r : {2, 3, 4}) {
    ASSERT_TRUE(plan.assignment.assign(r, other));
    for (int b = 0; b < 3; ++b) plan.assignment.complete_block(r);
  }
  ASSERT_EQ(plan.assignment.writer_of(0), std::nullopt);
  one.desk.work();
  EXPECT_EQ(one.told(), std::vector<std::int64_t>{});
  one.desk.collection.place(0, 0, 0);
  one.desk.work();
  EXPECT_EQ(one.told(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(one.desk.counters.blocks, 3);
}

class CollectionAssignmentFormats : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(formats, CollectionAssignmentFormats,
                         testing::Values(format_named("cdf5"), format_named("netcdf4"), format_named("zarr")));

TEST_P(CollectionAssignmentFormats, take_blocks_that_nobody_feeds_with_them) {
  OneOfTwo one(true, GetParam(), false, 0);
  expect_two_told(one, own, other);
  EXPECT_EQ(one.desk.counters.blocks, 4 + 1);
}

TEST(CollectionAssignment, tell_sizes_of_its_own_records_and_nothing_of_others) {
  for (const std::uint32_t fed : {1U, 0U}) {
    OneOfTwo one(false, format_named("netcdf4"), true, fed);
    std::map<std::int64_t, std::size_t> sizes;
    one.put(0, other);
    one.put(1, own);
    block::CollectionPlan& plan = one.desk.collection.plan();
    for (int tries = 0; tries < 10000 && sizes.size() < 2; ++tries) {
      one.desk.take_ready();
      one.desk.writer->learn_assignments();
      one.desk.writer->take_encoded();
      for (const block::Result& event : one.desk.node.book.take_results())
        if (const auto* told = std::get_if<block::ChunksEncoded>(&event)) sizes[told->record] = told->sizes.size();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(sizes[0], 0U);
    EXPECT_EQ(sizes[1], 2U) << "chunks of b, " << plan.record_blocks.size() << " blocks";
  }
}

}  // namespace
}  // namespace thalweg::writer
