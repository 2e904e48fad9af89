// How far the model is in time, as a process has heard: told by the thread that makes the steps, read by the one that
// writes.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "base/clock.hpp"

namespace thalweg::profile {

struct ModelProgress {
  // When a step was made, by now_s(), and the model time that it went to.
  struct Made {
    std::atomic<double> at_s{0.0};
    std::atomic<double> time_s{0.0};

    void note(double model_time_s) {
      at_s.store(now_s(), std::memory_order_relaxed);
      time_s.store(model_time_s, std::memory_order_relaxed);
    }
  };
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::atomic<std::int64_t> steps{0};  // stored last: whoever has read it sees the step
  std::atomic<double> start_s{0.0};    // model time
  std::atomic<double> end_s{unknown};  // model time, if the program has said it
  Made first;
  Made last;

  void make_step(double model_time_s) {
    const std::int64_t made = steps.load(std::memory_order_relaxed);
    last.note(model_time_s);
    if (made == 0) first.note(model_time_s);
    steps.store(made + 1, std::memory_order_release);
  }
};

}  // namespace thalweg::profile
