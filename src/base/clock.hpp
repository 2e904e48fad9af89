// Monotonic seconds, for timers and deadlines.
#pragma once

#include <time.h>

namespace thalweg {

inline double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace thalweg
