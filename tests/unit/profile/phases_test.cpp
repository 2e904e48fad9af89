#include <gtest/gtest.h>

#include <thread>

#include "profile/server_times.hpp"

namespace thalweg::profile {
namespace {

TEST(Phases, count_every_moment_once) {
  ServerTimes times;
  Phases phases;
  const double start_s = now_s();
  {
    const Phases::Phase none(phases, times.define_s);  // before begin
  }
  phases.begin(times.other_s);
  {
    const Phases::Phase outer(phases, times.define_s);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    const Phases::Phase inner(phases, times.wait_message_s);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  phases.end();
  EXPECT_GE(times.define_s, 0.003);
  EXPECT_GE(times.wait_message_s, 0.002);
  EXPECT_LE(times.total_s(), now_s() - start_s);
}

}  // namespace
}  // namespace thalweg::profile
