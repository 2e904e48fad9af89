#include "files/record_clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace thalweg::files {
namespace {

// How far numbers in single precision lie apart there, if that may be all by which a step is longer or shorter.
std::optional<double> spacing_of_single(double from_s, double to_s, double time_step_s) {
  const auto is_single = [](double s) { return static_cast<double>(static_cast<float>(s)) == s; };
  if (!is_single(from_s) || !is_single(to_s)) return std::nullopt;
  const float largest = static_cast<float>(std::max(std::abs(from_s), std::abs(to_s)));
  const double spacing_s = std::nextafter(largest, std::numeric_limits<float>::max()) - largest;
  return std::abs(to_s - from_s - time_step_s) <= spacing_s ? std::optional(spacing_s) : std::nullopt;
}

}  // namespace

RecordClock::RecordClock(const config::CollectionSettings& collection, const config::Settings& settings)
    : name_(collection.name),
      every_(collection.every),
      origin_(origin_of(collection.every, collection, settings)),
      time_step_s_(settings.time_step_s),
      window_(collection, settings),
      initial_pending_(collection.initial_record),
      is_before_grid_(!collection.fields.chosen.empty()) {}

void RecordClock::set_run(double start_s, std::optional<double> end_s) {
  start_s_ = start_s;
  origin_.set_start(start_s);
  now_s_ = start_s;
  said_s_ = start_s;
  end_s_ = end_s;
}

void RecordClock::go_to(const Elapsed& elapsed) {
  now_s_ = elapsed.now_s;
  said_s_ = elapsed.said_s;
  steps_ = elapsed.steps;
  initial_pending_ = false;
  is_held_ = false;
}

void RecordClock::succeed(const RecordClock& earlier) {
  std::string name = std::move(name_);
  *this = earlier;
  name_ = std::move(name);
}

ClosingTime RecordClock::next() const {
  if (initial_pending_) return {now_s_, steps_, true};
  const double whole_s = now_s_ + time_step_s_;
  return {is_at_end(whole_s) && !is_at_end(now_s_) ? *end_s_ : whole_s, steps_ + 1, false};
}

bool RecordClock::is_due() const {
  if (is_held_) return false;
  if (initial_pending_) return window_.begins_with(now_s_);
  return is_due_at(next().time_s);
}

// Whether a step from now to that time closes a record.
bool RecordClock::is_due_at(double time_s) const {
  if (!window_.has(time_s)) return false;
  if (every_.is_run) return is_at_end(time_s) && !is_at_end(now_s_);
  if (every_.steps != 0) return (steps_ + 1) % every_.steps == 0;
  return passed_at(time_s) > passed_at(now_s_);
}

// Of fields those that the next step goes beyond: one that it comes to within its tolerance is left to it.
std::int64_t RecordClock::passed_at(double time_s) const {
  const double until_s = is_before_grid_ ? time_s + time_step_s_ - tolerance_of(time_step_s_) - slack_s : time_s;
  return origin_.intervals_until(every_, until_s);
}

// Model times between are many where `every` is long, so the step is found from the grid, a little early, and looked
// for from there.
ClosingTime RecordClock::next_due() const {
  if (initial_pending_) return next();
  if (every_.is_run && end_s_)
    return {*end_s_, steps_ + static_cast<std::int64_t>(std::ceil((*end_s_ - now_s_ - slack_s) / time_step_s_)), false};
  // Before the window nothing is due: as many steps are passed over as end up to it.
  const double before_s = window_.begin_s + window_.tolerance_s - now_s_;
  const std::int64_t before =
      before_s > 0.0 && time_step_s_ > 0.0 ? static_cast<std::int64_t>(std::floor(before_s / time_step_s_)) : 0;
  if (every_.steps != 0) return steps_ahead(before + every_.steps - (steps_ + before) % every_.steps);
  const std::int64_t passed = passed_at(steps_ahead(before).time_s);
  const double until_s =
      seconds_between(origin_.calendar, origin_.reference, origin_.begin_of(every_, passed + 1)) - now_s_;
  std::int64_t steps =
      std::max<std::int64_t>(before + 1, static_cast<std::int64_t>(std::floor(until_s / time_step_s_)) - 1);
  while (passed_at(steps_ahead(steps).time_s) <= passed) ++steps;
  return steps_ahead(steps);
}

ClosingTime RecordClock::steps_ahead(std::int64_t steps) const {
  return {now_s_ + static_cast<double>(steps) * time_step_s_, steps_ + steps, false};
}

void RecordClock::require_step(double time_s, bool is_predicted) const {
  if (stands(time_s)) return;
  if (initial_pending_)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': 'initial-record' is on, so the first advance must be at the start time {} s, not {} s",
         name_, now_s_, time_s);
  if (!is_predicted || is_as_predicted(time_s)) return;
  if (const std::optional<double> spacing_s = spacing_of_single(said_s_, time_s, time_step_s_))
    fail(THALWEG_ERROR_STATE,
         "collection '{}': advance from {} s to {} s, but 'time-step' is {} s: the model's time was rounded to single "
         "precision, which has steps of {} s there; pass it in double precision, or set a 'reference-date' nearer to "
         "the run",
         name_, said_s_, time_s, time_step_s_, *spacing_s);
  fail(THALWEG_ERROR_STATE,
       "collection '{}': advance from {} s to {} s, but 'time-step' is {} s; a run that starts later than the "
       "reference date says so by thalweg_set_time, one whose last step is shorter by thalweg_set_end_time; one whose "
       "steps "
       "vary closes its records itself ('every: on-demand', thalweg_record), or has them of fields that are gathered "
       "over intervals (thalweg_step)",
       name_, said_s_, time_s, time_step_s_);
}

void RecordClock::require_end() const {
  if (!every_.is_run || end_s_) return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': with 'every: end' its record is closed by the last advance, and the program has not said when "
       "that is; call thalweg_set_end_time before the first put or advance",
       name_);
}

bool RecordClock::is_near(double time_s, double other_s) const {
  return std::abs(time_s - other_s) <= tolerance_of(time_step_s_);
}

bool RecordClock::is_as_predicted(double time_s) const {
  return is_near(time_s, next().time_s) || is_near(time_s - said_s_, next().time_s - now_s_);
}

void RecordClock::advance(double time_s) {
  const bool stood = stands(time_s);
  const double whole_s = next().time_s;
  const bool counts_whole_steps = !stood && (is_near(time_s, whole_s) || (is_near(time_s - said_s_, whole_s - now_s_) &&
                                                                          is_due_at(time_s) != is_due_at(whole_s)));
  now_s_ = counts_whole_steps ? whole_s : time_s;
  said_s_ = time_s;
  if (!stood) ++steps_;
  initial_pending_ = false;
  is_held_ = false;
}

}  // namespace thalweg::files
