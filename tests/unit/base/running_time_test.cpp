#include "base/running_time.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double deadline_s = 4.0;

TEST(RunningTime, counts_what_was_slept_and_a_little_more) {
  RunningTime waited(100.0);
  waited.look(100.5, 0.5, deadline_s);
  waited.look(101.2, 0.5, deadline_s);
  EXPECT_NEAR(waited.seconds(), 1.2, 1e-9);
}

TEST(RunningTime, counts_no_pause_of_the_process) {
  RunningTime waited(100.0);
  waited.look(103600.0, 0.25, deadline_s);
  EXPECT_DOUBLE_EQ(waited.seconds(), 0.75) << "the sleep, and an eighth of the deadline";
  waited.look(103600.25, 0.25, deadline_s);
  EXPECT_DOUBLE_EQ(waited.seconds(), 1.0);
}

TEST(RunningTime, counts_no_more_than_a_second_of_a_pause_with_a_long_deadline) {
  RunningTime waited(0.0);
  waited.look(3600.0, 0.0, 300.0);
  EXPECT_DOUBLE_EQ(waited.seconds(), 1.0);
}

TEST(RunningTime, begins_with_what_is_waited_for) {
  RunningTime waited(0.0);
  waited.look(1.0, 1.0, deadline_s);
  waited.limit(0.25);
  waited.look(1.5, 0.5, deadline_s);
  EXPECT_DOUBLE_EQ(waited.seconds(), 0.75);
  waited.limit(5.0);
  EXPECT_DOUBLE_EQ(waited.seconds(), 0.75);
}

}  // namespace
}  // namespace thalweg
