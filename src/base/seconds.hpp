// Sums of seconds, of which each is told to whoever follows the time line of the process.
#pragma once

#include <atomic>

#include "base/clock.hpp"
#include "base/subject.hpp"

namespace thalweg {

// From start to end by now_s(), on the thread that tells it.
struct Span {
  const char* name;
  double start_s;
  double end_s;
  Subject subject{};
};

// Follows all spans, on any thread, and has to outlive them; null: nobody does.
using SpanFollower = void (*)(const Span&);
inline std::atomic<SpanFollower> span_follower{nullptr};

inline void tell_span(const Span& span) {
  if (const SpanFollower follow = span_follower.load(std::memory_order_relaxed))
    follow({span.name, span.start_s, span.end_s, subject_of_thread});
}

class Seconds {
 public:
  // name: of its spans; it outlives them.
  constexpr Seconds(const char* name = "") : name_(name) {}

  void add(double start_s, double end_s) {
    total_s_ += end_s - start_s;
    tell_span({name_, start_s, end_s});
  }
  // The span that ends now.
  void add_until_now(double seconds) {
    const double end_s = now_s();
    add(end_s - seconds, end_s);
  }
  // What was told already.
  Seconds& operator+=(double seconds) {
    total_s_ += seconds;
    return *this;
  }
  Seconds& operator=(double seconds) {
    total_s_ = seconds;
    return *this;
  }
  constexpr operator double() const { return total_s_; }

 private:
  const char* name_;
  double total_s_ = 0.0;
};

// Adds the time between construction and destruction.
class Timer {
 public:
  explicit Timer(Seconds& total) : total_(total), start_s_(now_s()) {}
  ~Timer() { total_.add(start_s_, now_s()); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  Seconds& total_;
  double start_s_;
};

}  // namespace thalweg
