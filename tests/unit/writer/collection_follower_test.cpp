// A writer of files that another one owns.
#include <gtest/gtest.h>

#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using sample::Desk;

// It has nothing to write of records, so that one that is placed could be told at once.
TEST(FollowingWriter, tells_no_record_before_its_file_is_open_and_filled) {
  Desk desk(sample::chunked_field(4, 4, {2, 2}), {.owns_files = false});
  desk.collection.plan().record_blocks.clear();
  desk.start();
  desk.node.book.send(block::PlaceRecord{0, 0, 0, 0, {}});
  desk.work();
  EXPECT_TRUE(desk.node.book.take_results().empty());
  desk.collection.open(0);
  desk.work();
  const std::vector<block::Result> events = desk.node.book.take_results();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<block::RecordWritten>(events[0]).record, 0);
}

}  // namespace
}  // namespace thalweg::writer
