// Monotonic seconds, for timers and deadlines.
#pragma once

#include <time.h>

namespace thalweg {

inline double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Adds the time between construction and destruction to a counter.
class Timer {
 public:
  explicit Timer(double& total_s) : total_s_(total_s), start_s_(now_s()) {}
  ~Timer() { total_s_ += now_s() - start_s_; }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& total_s_;
  double start_s_;
};

}  // namespace thalweg
