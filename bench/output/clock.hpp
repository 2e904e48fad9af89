// Clocks. now_s is the system-wide monotonic clock, so that times of several processes, and of the driver, compare.
#pragma once

#include <sys/resource.h>
#include <time.h>

namespace bench {

inline double read_clock_s(clockid_t clock) {
  timespec value{};
  clock_gettime(clock, &value);
  return static_cast<double>(value.tv_sec) + 1e-9 * static_cast<double>(value.tv_nsec);
}

inline double now_s() {
  return read_clock_s(CLOCK_MONOTONIC);
}

inline double thread_cpu_s() {
  return read_clock_s(CLOCK_THREAD_CPUTIME_ID);
}

// User and system time of all threads of this process.
inline double process_cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace bench
