// How long somebody has waited, as far as the process ran meanwhile: a batch system may suspend a job for hours, and a
// machine may pause.
#pragma once

#include <algorithm>

namespace thalweg {

class RunningTime {
 public:
  explicit RunningTime(double now_s) : looked_s_(now_s) {}

  // At each look of who waits. pause_s: how long it meant to sleep since the last one at most. What lies beyond that,
  // and beyond what a busy machine or the look itself may take, is not counted.
  void look(double now_s, double pause_s, double deadline_s) {
    const double longest_s = pause_s + std::min(1.0, deadline_s * 0.125);
    seconds_ += std::min(now_s - looked_s_, longest_s);
    looked_s_ = now_s;
  }

  // What was waited for began no longer ago than this.
  void limit(double seconds) { seconds_ = std::min(seconds_, seconds); }

  double seconds() const { return seconds_; }

 private:
  double looked_s_;
  double seconds_ = 0.0;
};

}  // namespace thalweg
