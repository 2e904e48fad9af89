// What a client tells the others of its node about its steps, which are its advances and the records that it closes by
// itself: how many it has made, to which times, and where it was when it came to the last call that all ranks make
// together. It alone writes; the others look when they come by.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace thalweg::staging {

struct ModelStep {
  double time_s = 0.0;
  std::int32_t collection = -1;  // whose record is closed, or whose file (closes_file); -1: an advance
  std::uint64_t files = 0;       // fingerprint of the files that the program has named since the step before

  // The program closes a file, of which no time is known.
  static ModelStep closing(std::int32_t of) { return {std::numeric_limits<double>::infinity(), of}; }
  bool closes_file() const { return time_s == std::numeric_limits<double>::infinity(); }
  bool is_advance() const { return collection < 0; }
  friend bool operator==(const ModelStep&, const ModelStep&) = default;
};

class StepTimes {
 public:
  static constexpr std::int64_t kept = 64;  // last steps that are known

  std::int64_t made() const { return made_.load(); }

  void make(const ModelStep& made) {
    const std::int64_t number = made_.load(std::memory_order_relaxed) + 1;
    Step& step = steps_[number % kept];
    step.number.store(0);  // whoever reads meanwhile sees that it changes
    step.time_s.store(made.time_s);
    step.collection.store(made.collection);
    step.files.store(made.files);
    step.number.store(number);
    made_.store(number);
  }

  // A step, which counts from 1; nothing if it is not made, or no longer known.
  std::optional<ModelStep> step(std::int64_t number) const {
    const Step& step = steps_[number % kept];
    if (step.number.load() != number) return std::nullopt;
    const ModelStep made{step.time_s.load(), step.collection.load(), step.files.load()};
    return step.number.load() == number ? std::optional(made) : std::nullopt;
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
    std::atomic<std::int32_t> collection{-1};
    std::atomic<std::uint64_t> files{0};
  };
  std::atomic<std::int64_t> made_{0};
  std::atomic<std::int64_t> meetings_{0};
  std::atomic<std::int64_t> made_at_meeting_{0};
  Step steps_[kept];
};

}  // namespace thalweg::staging
