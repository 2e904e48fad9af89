// The checksums that a file gets: of what arrived, of holes, and of what other writers told.
#include <gtest/gtest.h>

#include <filesystem>
#include <variant>
#include <vector>

#include "base/element_bits.hpp"
#include "storage/checksum_file.hpp"
#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using formats::sample::bytes_of_file;
using sample::Desk;

constexpr std::uint64_t piece_sum = 1000;  // that the sample's clients say

// One field of two blocks, and a variable without records.
sample::Definition two_blocks() {
  sample::Definition definition = sample::chunked_field(6, 37, {3, 37});
  definition.format = config::format_named("cdf5");
  definition.variables.push_back(
      {.name = "mask", .type = Type::int32, .dimensions = {0, 1}, .attributes = {}, .chunk = {}});
  return definition;
}

struct Summing {
  explicit Summing(const sample::Options& options) : desk(two_blocks(), options) {
    block::SummedFiles files;
    files.format = config::format_named("cdf5");
    files.record_dimension = "time";
    files.variables = {{"a", Type::float32, true}, {"mask", Type::int32, false}};
    files.elements = {{6 * 37, 6 * 37}};
    desk.collection.plan().files.summed = std::make_shared<const block::SummedFiles>(files);
  }
  void start() {
    desk.start();
    desk.collection.open(0);
    desk.collection.put_all_fixed();
  }
  std::string companion() const {
    const auto bytes = bytes_of_file(storage::checksum_path(desk.collection.path(0)));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::string wanted(const block::FileSums& sums) const {
    const auto bytes = std::ssize(bytes_of_file(desk.collection.path(0)));
    return storage::text_of(block::Checksums{desk.collection.plan().files.summed, 0, sums}, "history0.nc", bytes);
  }
  Desk desk;
};

TEST(CollectionSums, are_those_of_all_pieces_and_of_the_cells_that_nobody_holds) {
  Summing of({.pieces = 2, .piece_sum = piece_sum});
  block::PlannedBlock& block = of.desk.collection.plan().record_blocks.front();
  block.hole_cells = 3;
  const std::uint64_t holes = 3 * bits_of(block.fill, Type::float32);
  of.start();
  for (std::int64_t r = 0; r < 2; ++r) of.desk.put_place_commit(r, 0, r);
  of.desk.collection.close(0, 2, 2);
  of.desk.work();
  const block::Sums record{4 * piece_sum + holes, 0};
  EXPECT_EQ(of.companion(), of.wanted({{0, 2 * piece_sum}, {record, record}}));
  EXPECT_EQ(of.desk.counters.checksum_files, 1);
}

TEST(CollectionSums, of_other_writers_are_added_at_home) {
  Summing of({.other_writers = 2, .piece_sum = piece_sum});
  of.start();
  of.desk.node.book.send(block::OtherWriterWrote{0, 0, 0, 0, {7, 0}});  // it is ahead
  of.desk.put_place_commit(0, 0, 0);
  of.desk.node.book.send(block::OtherWriterWrote{0, 0, 0, 0, {30, 0}});
  for (const std::uint64_t sum : {11U, 12U}) of.desk.node.book.send(block::OtherWriterClosed{0, 0, {0, sum}});
  of.desk.collection.close(0, 1, 1);
  of.desk.work();
  EXPECT_EQ(of.companion(), of.wanted({{0, piece_sum + 23}, {{2 * piece_sum + 37, 0}}}));
}

TEST(CollectionSums, are_told_by_who_is_not_the_home) {
  Summing of({.owns_files = false, .piece_sum = piece_sum});
  of.start();
  of.desk.collection.place(0, 0, 0);
  of.desk.collection.put_all(0, 0);
  of.desk.node.book.send(block::CloseFile{0, 0, 1, {}});
  of.desk.work();
  const std::vector<block::Result> events = of.desk.node.book.take_results();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::get<block::RecordWritten>(events[0]).sums, (block::Sums{2 * piece_sum, 0}));
  EXPECT_EQ(std::get<block::FileWritten>(events[1]).sums, (block::Sums{0, piece_sum}));
}

TEST(CollectionSums, are_told_where_they_are_asked_for_and_the_file_is_closed_by_the_order_behind) {
  Summing of({.piece_sum = piece_sum});
  of.start();
  of.desk.put_place_commit(0, 0, 0);
  block::CloseFile asks{0, 0, 1, {}};
  asks.summed_records = 1;
  of.desk.node.book.send(std::move(asks));
  of.desk.work();
  EXPECT_FALSE(std::filesystem::exists(of.desk.collection.path(0)));
  const std::vector<block::Result> events = of.desk.node.book.take_results();
  ASSERT_EQ(events.size(), 1U);
  const auto& summed = std::get<block::FileSummed>(events.front());
  EXPECT_EQ(summed.sums.fixed, (block::Sums{0, piece_sum}));
  EXPECT_EQ(summed.sums.records, (std::vector<block::Sums>{{2 * piece_sum, 0}}));
  of.desk.collection.close(0, 1, 1);
  of.desk.work();
  EXPECT_EQ(of.companion(), of.wanted(summed.sums));
}

TEST(CollectionSums, that_differ_from_those_of_an_earlier_file_end_the_run_before_the_record_counts) {
  Summing of({.piece_sum = piece_sum});
  of.start();
  of.desk.node.book.send(
      block::ExpectSums{0, 0, {{2 * piece_sum, 0}, {2 * piece_sum + 1, 0}}, of.desk.collection.path(7)});
  of.desk.put_place_commit(0, 0, 0);
  EXPECT_EQ(of.desk.collection.records_done(), 1);
  EXPECT_ANY_THROW(of.desk.put_place_commit(1, 0, 1));
  const std::string text = of.desk.node.control->failures.failure().what();
  EXPECT_NE(text.find("variable 'a', record 1: with 'append: continue' it would have other values"), std::string::npos)
      << text;
  EXPECT_EQ(of.desk.collection.records_done(), 1);
}

TEST(CollectionSums, that_are_for_the_file_itself_leave_no_companion) {
  Summing of({.piece_sum = piece_sum});
  of.desk.collection.plan().files.has_companions = false;
  of.start();
  of.desk.put_place_commit(0, 0, 0);
  of.desk.collection.close(0, 1, 1);
  of.desk.work();
  EXPECT_TRUE(std::filesystem::exists(of.desk.collection.path(0)));
  EXPECT_FALSE(std::filesystem::exists(storage::checksum_path(of.desk.collection.path(0))));
}

}  // namespace
}  // namespace thalweg::writer
