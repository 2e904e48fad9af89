#include "staging/staging_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "error_of.hpp"

namespace thalweg::staging {
namespace {

constexpr std::int64_t usual = 64 * 4096;
constexpr std::int64_t plenty = 100 * usual;

// Two processes of a node have a pool each; here both are in one.
class TwoProcesses : public ::testing::Test {
 protected:
  struct Taken {
    StagingMemory leader;
    StagingMemory other;
  };

  Taken take(std::int64_t bytes, std::int64_t most_bytes = plenty) {
    Taken taken;
    taken.leader = leader.take(bytes, 2, most_bytes);
    taken.other = other.take(taken.leader.ticket(), most_bytes);
    return taken;
  }
  void give_back(Taken taken, std::int64_t most_bytes = plenty) {
    taken.leader.make_share(0, 2);
    taken.other.make_share(1, 2);
    taken.leader.map_all(2);
    taken.other.map_all(2);
    leader.give_back(std::move(taken.leader), most_bytes);
    other.give_back(std::move(taken.other), most_bytes);
  }

  StagingPool leader;
  StagingPool other;
};

TEST_F(TwoProcesses, take_again_what_they_have_mapped_with_what_is_in_it) {
  Taken first = take(usual);
  std::byte* const at_leader = first.leader.data();
  std::byte* const at_other = first.other.data();
  std::memset(at_leader, 7, usual);
  give_back(std::move(first));
  const Taken second = take(usual);
  EXPECT_EQ(second.leader.data(), at_leader);
  EXPECT_EQ(second.other.data(), at_other);
  EXPECT_TRUE(second.leader.is_mapped());
  EXPECT_TRUE(second.other.is_mapped());
  EXPECT_EQ(at_other[usual - 1], std::byte{7});
  EXPECT_EQ(leader.kept_bytes(), 0);
  EXPECT_EQ(other.kept_bytes(), 0);
}

TEST_F(TwoProcesses, do_not_take_what_one_of_them_still_uses) {
  Taken first = take(usual);
  first.leader.map_all(0);
  leader.give_back(std::move(first.leader), plenty);
  const StagingMemory second = leader.take(usual, 2, plenty);
  std::memset(second.data(), 1, usual);
  EXPECT_NE(second.identity(), first.other.identity());
  EXPECT_EQ(first.other.data()[0], std::byte{0});
}

TEST_F(TwoProcesses, do_not_take_what_one_that_died_had) {
  Taken first = take(usual);
  const std::uint64_t identity = first.leader.identity();
  leader.give_back(std::move(first.leader), plenty);
  first.other = StagingMemory();
  EXPECT_NE(leader.take(usual, 2, plenty).identity(), identity);
  EXPECT_EQ(leader.kept_bytes(), 0);
}

TEST_F(TwoProcesses, as_leaders_of_two_sessions_never_take_the_same) {
  give_back(take(usual));
  const StagingMemory one = leader.take(usual, 1, plenty);
  const StagingMemory two = other.take(usual, 1, plenty);
  EXPECT_NE(one.identity(), two.identity());
}

TEST_F(TwoProcesses, meet_one_that_has_not_had_the_memory_before) {
  Taken first = take(usual);
  std::memset(first.leader.data(), 5, usual);
  const std::uint64_t identity = first.leader.identity();
  give_back(std::move(first));
  StagingPool third;
  const StagingMemory taken = leader.take(usual, 3, plenty);
  StagingMemory there = third.take(taken.ticket(), plenty);
  EXPECT_EQ(there.identity(), identity);
  EXPECT_FALSE(there.is_mapped());
  there.make_share(2, 3);  // all pages are there: it waits for nobody
  there.map_all(3);
  EXPECT_EQ(there.data()[usual - 1], std::byte{5});
}

TEST_F(TwoProcesses, serve_a_smaller_session_and_make_more_for_a_larger_one) {
  give_back(take(usual));
  Taken smaller = take(usual * 3 / 4);
  EXPECT_EQ(smaller.leader.bytes(), usual);
  give_back(std::move(smaller));
  const Taken larger = take(2 * usual);
  EXPECT_EQ(larger.leader.bytes(), 2 * usual);
}

TEST_F(TwoProcesses, keep_large_memory_for_large_sessions_where_there_is_room_for_both) {
  give_back(take(usual));
  EXPECT_EQ(take(usual / 4).leader.bytes(), usual / 4);
  EXPECT_EQ(leader.kept_bytes(), usual);
  EXPECT_EQ(take(usual / 4, usual).leader.bytes(), usual);
}

TEST_F(TwoProcesses, give_up_what_is_too_small_when_both_would_be_too_much) {
  Taken first = take(usual);
  std::memset(first.leader.data(), 7, usual);
  StagingMemory looks_on = StagingMemory::attach(first.leader.ticket());
  give_back(std::move(first));
  const Taken larger = take(2 * usual, 2 * usual);
  EXPECT_EQ(leader.kept_bytes(), 0);
  EXPECT_EQ(other.kept_bytes(), 0) << "the other one hears that it is gone";
  EXPECT_EQ(looks_on.data()[usual - 1], std::byte{0}) << "its pages are back at the machine";
  EXPECT_FALSE(looks_on.claim(1));
}

TEST_F(TwoProcesses, keep_the_newest_and_no_more_than_they_may) {
  Taken first = take(usual);
  Taken second = take(2 * usual);
  const std::uint64_t newest = second.leader.identity();
  give_back(std::move(first), 3 * usual);
  EXPECT_EQ(leader.kept_bytes(), usual);
  give_back(std::move(second), 2 * usual);
  EXPECT_EQ(leader.kept_bytes(), 2 * usual);
  EXPECT_EQ(take(usual).leader.identity(), newest);
}

TEST_F(TwoProcesses, give_up_what_only_one_of_them_keeps_when_it_would_be_too_much) {
  other.give_back(StagingMemory::create(usual, 1), plenty);
  const Taken both = take(usual, 2 * usual);
  EXPECT_EQ(other.kept_bytes(), usual);
  const Taken more = take(usual, usual);
  EXPECT_EQ(other.kept_bytes(), 0);
}

TEST_F(TwoProcesses, give_up_what_they_keep_before_the_machine_has_too_little) {
  give_back(take(usual));
  const std::string text =
      error_of(THALWEG_ERROR_MEMORY, [&] { (void)leader.take(std::int64_t{1} << 50, 2, std::int64_t{1} << 60); });
  EXPECT_NE(text.find("the blocks of this node take 1024 TiB"), std::string::npos) << text;
  EXPECT_EQ(leader.kept_bytes(), 0) << "whoever needs memory gets what was kept, first";
}

TEST(StagingMemory, is_zero_when_it_is_made_and_starts_at_a_page) {
  const StagingMemory memory = StagingMemory::create(usual, 1);
  EXPECT_EQ(memory.bytes(), usual);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 4096, 0U);
  for (std::int64_t i = 0; i < usual; ++i) ASSERT_EQ(memory.data()[i], std::byte{0});
}

TEST(StagingMemory, that_somebody_uses_is_not_given_up) {
  const StagingMemory memory = StagingMemory::create(usual, 1);
  std::memset(memory.data(), 9, usual);
  memory.give_up();
  EXPECT_EQ(memory.data()[usual - 1], std::byte{9});
  memory.leave();
  EXPECT_TRUE(memory.is_idle());
  memory.give_up();
  EXPECT_EQ(memory.data()[usual - 1], std::byte{0});
}

}  // namespace
}  // namespace thalweg::staging
