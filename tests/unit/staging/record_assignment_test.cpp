#include "staging/record_assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "staging/shared_memory.hpp"

namespace thalweg::staging {
namespace {

struct ClaimsMemory {
  ClaimsMemory(std::int64_t depth, std::int64_t blocks)
      : bytes(SharedMemory::create(RecordAssignment::bytes_for(depth))), assignment(depth, blocks, bytes.data()) {}
  void complete(std::int64_t record, std::int64_t blocks) const {
    for (std::int64_t b = 0; b < blocks; ++b) assignment.complete_block(record);
  }
  SharedMemory bytes;
  RecordAssignment assignment;
};

TEST(RecordAssignment, belong_to_who_is_first) {
  const ClaimsMemory memory(2, 3);
  EXPECT_EQ(memory.assignment.writer_of(0), std::nullopt);
  EXPECT_TRUE(memory.assignment.assign(0, 4));
  EXPECT_FALSE(memory.assignment.assign(0, 1));
  EXPECT_EQ(memory.assignment.writer_of(0), 4);
  EXPECT_EQ(memory.assignment.assigned_records(), 1);
}

TEST(RecordAssignment, tell_the_highest_writer_from_the_next_record) {
  const ClaimsMemory memory(2, 1);
  EXPECT_TRUE(memory.assignment.assign(0, RecordAssignment::most_writers));
  EXPECT_TRUE(memory.assignment.assign(1, 0));
  EXPECT_EQ(memory.assignment.writer_of(0), RecordAssignment::most_writers);
  EXPECT_EQ(memory.assignment.writer_of(1), 0);
}

TEST(RecordAssignment, of_a_record_can_be_made_when_the_one_before_in_its_slot_is_complete) {
  constexpr std::int64_t depth = 3;
  constexpr std::int64_t blocks = 2;
  const ClaimsMemory memory(depth, blocks);
  for (std::int64_t r = 0; r < 40; ++r) {
    ASSERT_TRUE(memory.assignment.may_assign(r)) << r;
    ASSERT_TRUE(memory.assignment.assign(r, static_cast<int>(r % 5))) << r;
    for (std::int64_t later = r + 1; later <= r + depth; ++later)
      ASSERT_EQ(memory.assignment.may_assign(later), later < depth || (later - depth < r)) << later << " after " << r;
    memory.complete(r, blocks - 1);
    ASSERT_FALSE(memory.assignment.may_assign(r + depth)) << r;
    memory.complete(r, 1);
    ASSERT_TRUE(memory.assignment.may_assign(r + depth)) << r;
  }
}

TEST(RecordAssignment, are_kept_for_twice_as_many_records_as_there_are_slots) {
  constexpr std::int64_t depth = 2;
  const ClaimsMemory memory(depth, 1);
  for (std::int64_t r = 0; r < 20; ++r) {
    memory.assignment.assign(r, static_cast<int>(r % 3));
    memory.complete(r, 1);
    for (std::int64_t known = std::max<std::int64_t>(0, r - 2 * depth + 1); known <= r; ++known)
      EXPECT_EQ(memory.assignment.writer_of(known), known % 3);
    if (r >= 2 * depth) {
      EXPECT_EQ(memory.assignment.writer_of(r - 2 * depth), std::nullopt);
    }
    EXPECT_EQ(memory.assignment.assigned_records(), r + 1);
  }
}

// Every client has a block of each record, assigns it to itself and waits where it must.
TEST(RecordAssignment, are_the_same_for_all_who_race_for_them) {
  constexpr int clients = 4;
  constexpr std::int64_t depth = 2;
  constexpr std::int64_t records = 3000;
  const ClaimsMemory memory(depth, clients);
  std::vector<std::vector<int>> seen(clients);
  std::atomic<std::int64_t> made{0};
  std::vector<std::thread> threads;
  for (int c = 0; c < clients; ++c)
    threads.emplace_back([&, c] {
      for (std::int64_t r = 0; r < records; ++r) {
        while (!memory.assignment.may_assign(r)) std::this_thread::yield();
        if (memory.assignment.assign(r, c)) ++made;
        seen[static_cast<std::size_t>(c)].push_back(*memory.assignment.writer_of(r));
        memory.assignment.complete_block(r);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, records);
  EXPECT_EQ(memory.assignment.assigned_records(), records);
  for (const auto& of_client : seen) EXPECT_EQ(of_client, seen.front());
}

}  // namespace
}  // namespace thalweg::staging
