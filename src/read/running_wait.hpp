// Waiting for a thread, no longer than a deadline.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/clock.hpp"
#include "base/running_time.hpp"

namespace thalweg::read {

// Whether it is so before the deadline. Time in which the process is suspended does not count.
template <typename IsSo>
bool wait_running(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, double deadline_s,
                  const IsSo& is_so) {
  constexpr double look_s = 0.05;
  RunningTime waited(now_s());
  while (!is_so()) {
    if (waited.seconds() > deadline_s) return false;
    changed.wait_for(lock, std::chrono::duration<double>(look_s), is_so);
    waited.look(now_s(), look_s, deadline_s);
  }
  return true;
}

}  // namespace thalweg::read
