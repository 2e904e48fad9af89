// How long a thread waits for a format's library that another thread uses meanwhile.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <utility>

namespace thalweg::formats {

// While this lives, its thread waits no longer than the deadline for one call of another thread; without it, no longer
// than the deadline of the process, if it has one.
class Patience {
 public:
  struct Limit {
    double deadline_s = std::numeric_limits<double>::infinity();
    std::string who{};  // has it, for messages
  };

  explicit Patience(Limit limit) : before_(std::exchange(of_thread(), std::move(limit))) {}
  ~Patience() { of_thread() = std::move(before_); }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  static Limit& of_thread() {
    thread_local Limit limit;
    return limit;
  }
  // Of the session that was started last, for its writers and whatever else has none of its own.
  static std::atomic<double>& of_process() {
    static std::atomic<double> deadline_s = std::numeric_limits<double>::infinity();
    return deadline_s;
  }
  static double deadline_s() { return std::min(of_thread().deadline_s, of_process().load()); }

 private:
  Limit before_;
};

}  // namespace thalweg::formats
