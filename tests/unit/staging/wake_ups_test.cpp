#include "staging/wake_ups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "staging/node.hpp"

namespace thalweg::staging {
namespace {

using testing::NodeControl;
using testing::patience_s;

TEST(BlockWaits, counts_who_wants_a_block_and_wakes_who_sleeps_on_it) {
  const NodeControl node(2);
  EXPECT_EQ(node->wake_ups.block_waits(), 0U);
  std::thread sleeper([&] {
    while (node->wake_ups.block_waits() == 0) futex_wait(node->wake_ups.block_waits(), 0, testing::patience_s);
  });
  node->wake_ups.begin_block_wait();
  sleeper.join();
  node->wake_ups.begin_block_wait();
  EXPECT_EQ(node->wake_ups.block_waits(), 2U);
  node->wake_ups.end_block_wait();
  node->wake_ups.end_block_wait();
  EXPECT_EQ(node->wake_ups.block_waits(), 0U);
}

TEST(Bell, that_rang_since_it_was_looked_at_lets_nobody_sleep) {
  const NodeControl node(1);
  const std::uint32_t seen = node->wake_ups.bell();
  node->wake_ups.ring();
  const double start_s = now_s();
  node->wake_ups.sleep_until_rung(seen, patience_s);
  EXPECT_LT(now_s() - start_s, patience_s / 2);
}

TEST(Bell, that_nobody_rings_lets_sleep_until_the_time_out) {
  const NodeControl node(1);
  const double start_s = now_s();
  node->wake_ups.sleep_until_rung(node->wake_ups.bell(), 0.05);
  EXPECT_GE(now_s() - start_s, 0.04);
}

TEST(Bell, wakes_who_sleeps_on_its_word_and_said_so) {
  const NodeControl node(1);
  node->wake_ups.listen_to_bell(true);
  const std::uint32_t seen = node->wake_ups.bell();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    node->wake_ups.ring();
  });
  const double start_s = now_s();
  while (node->wake_ups.bell() == seen && now_s() - start_s < patience_s)
    futex_wait(node->wake_ups.bell_word(), seen, patience_s);
  EXPECT_LT(now_s() - start_s, patience_s / 2);
  other.join();
  node->wake_ups.listen_to_bell(false);
}

// One wake-up lost, and the sleeper sleeps on until the time-out, with nobody left to ring.
TEST(Bell, is_never_missed_by_a_sleeper) {
  constexpr int rings = 3000;
  const NodeControl node(1);
  std::atomic<int> wanted = 0;
  std::atomic<int> done = 0;
  double longest_sleep_s = 0.0;
  std::thread writer([&] {
    while (done < rings) {
      const std::uint32_t seen = node->wake_ups.bell();
      if (wanted > done) {
        ++done;
        continue;
      }
      const double start_s = now_s();
      node->wake_ups.sleep_until_rung(seen, patience_s);
      longest_sleep_s = std::max(longest_sleep_s, now_s() - start_s);
    }
  });
  for (int i = 1; i <= rings; ++i) {
    wanted = i;
    node->wake_ups.ring();
    while (done < i) std::this_thread::yield();
  }
  writer.join();
  EXPECT_LT(longest_sleep_s, patience_s / 2);
}

}  // namespace
}  // namespace thalweg::staging
