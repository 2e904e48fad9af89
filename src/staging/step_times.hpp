// What a client tells the others of its node about its steps: how many it has made, to which times, and where it was
// when it came to the last call that all ranks make together. It alone writes; the others look when they come by.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace thalweg::staging {

class StepTimes {
 public:
  static constexpr std::int64_t kept = 64;  // last steps whose times are known

  std::int64_t made() const { return made_.load(); }

  void make(double time_s) {
    const std::int64_t number = made_.load(std::memory_order_relaxed) + 1;
    Step& step = steps_[number % kept];
    step.number.store(0);  // whoever reads meanwhile sees that it changes
    step.time_s.store(time_s);
    step.number.store(number);
    made_.store(number);
  }

  // The time of a step, which counts from 1; nothing if it is not made, or no longer known.
  std::optional<double> time_of(std::int64_t number) const {
    const Step& step = steps_[number % kept];
    if (step.number.load() != number) return std::nullopt;
    const double time_s = step.time_s.load();
    return step.number.load() == number ? std::optional(time_s) : std::nullopt;
  }

  // It comes to a call that nobody leaves before all are there.
  void meet() {
    made_at_meeting_.store(made_.load());
    meetings_.fetch_add(1);
  }
  std::int64_t meetings() const { return meetings_.load(); }
  // Steps made before the last of its meetings.
  std::int64_t made_at_meeting() const { return made_at_meeting_.load(); }

 private:
  struct Step {
    std::atomic<std::int64_t> number{0};
    std::atomic<double> time_s{0.0};
  };
  std::atomic<std::int64_t> made_{0};
  std::atomic<std::int64_t> meetings_{0};
  std::atomic<std::int64_t> made_at_meeting_{0};
  Step steps_[kept];
};

}  // namespace thalweg::staging
