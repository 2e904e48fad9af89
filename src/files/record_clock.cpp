#include "files/record_clock.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace thalweg::files {

RecordClock::RecordClock(const config::CollectionSettings& collection, const config::Settings& settings)
    : name_(collection.name),
      every_(collection.every),
      origin_{settings.calendar, settings.reference_date},
      time_step_s_(settings.time_step_s),
      initial_pending_(collection.initial_record) {}

void RecordClock::set_start(double time_s) {
  start_s_ = time_s;
  now_s_ = time_s;
}

ClosingTime RecordClock::next() const {
  if (initial_pending_) return {now_s_, steps_, true};
  return {now_s_ + time_step_s_, steps_ + 1, false};
}

bool RecordClock::is_due() const {
  if (is_held_) return false;
  if (initial_pending_) return true;
  if (every_.steps != 0) return (steps_ + 1) % every_.steps == 0;
  return origin_.intervals_until(every_, next().time_s) > origin_.intervals_until(every_, now_s_);
}

// Model times between are many where `every` is long, so the step is found from the grid, a little early, and looked
// for from there.
ClosingTime RecordClock::next_due() const {
  if (initial_pending_) return next();
  const auto ahead = [this](std::int64_t steps) {
    return ClosingTime{now_s_ + static_cast<double>(steps) * time_step_s_, steps_ + steps, false};
  };
  if (every_.steps != 0) return ahead(every_.steps - steps_ % every_.steps);
  const std::int64_t passed = origin_.intervals_until(every_, now_s_);
  const double until_s =
      seconds_between(origin_.calendar, origin_.reference, origin_.begin_of(every_, passed + 1)) - now_s_;
  std::int64_t steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(until_s / time_step_s_)) - 1);
  while (origin_.intervals_until(every_, ahead(steps).time_s) <= passed) ++steps;
  return ahead(steps);
}

void RecordClock::require_step(double time_s, bool is_predicted) const {
  if (stands(time_s)) return;
  if (initial_pending_)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': 'initial-record' is on, so the first advance must be at the start time {} s, not {} s",
         name_, now_s_, time_s);
  if (is_predicted && std::abs(time_s - now_s_ - time_step_s_) > slack_s * std::max(1.0, time_step_s_))
    fail(THALWEG_ERROR_STATE,
         "collection '{}': advance from {} s to {} s, but 'time-step' is {} s; a run that starts later than the "
         "reference date says so by thalweg_set_time",
         name_, now_s_, time_s, time_step_s_);
}

void RecordClock::advance(double time_s) {
  if (!stands(time_s)) ++steps_;
  initial_pending_ = false;
  is_held_ = false;
  now_s_ = time_s;
}

}  // namespace thalweg::files
