// When a collection that has a clock closes its records. Pure; the same on every rank, from the model time alone.
//
// Rules
//  1. Model time t lies on the grid of `every` if it is a whole number of intervals after the reference date (or, for
//     steps, after the start of the run). A record is due at the first advance to or past a grid point.
//  2. A put comes before the advance that says the time, so the coming time is predicted: now + time-step, but the end
//     of the run where that is earlier. Only steps need no time-step.
//     Of fields that a collection chooses, which are what the model has at that time, it is due at the last advance to
//     or before a grid point: that which lies before time + time-step.
//  3. A step counts as predicted that is as long as time-step to within its tolerance. Grid points are compared with
//     sums of whole steps, as long as the model's time is as near to them; then with that, but not by a step that would
//     bring it past a grid point on which no record was predicted, or before one on which there was one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "files/output_interval.hpp"
#include "files/time_window.hpp"

namespace thalweg::files {

// When a record is closed: the model time, and the number of steps from the start of the run.
struct ClosingTime {
  double time_s = 0.0;
  std::int64_t step = 0;
  bool is_initial = false;  // at the start itself, before any step
};

class RecordClock {
 public:
  RecordClock(const config::CollectionSettings& collection, const config::Settings& settings);

  double now_s() const { return now_s_; }
  double start_s() const { return start_s_; }
  double time_step_s() const { return time_step_s_; }
  void set_run(double start_s, std::optional<double> end_s);
  // The first advance will stand still, for the initial record of some collection: it closes none that has no such
  // record, so nothing is due before it.
  void hold_for_start(bool stands) { is_held_ = stands && !initial_pending_; }
  bool awaits_initial() const { return initial_pending_; }

  // How far the model has come with its advances.
  struct Elapsed {
    double start_s = 0.0;
    double now_s = 0.0;   // as the clock has it
    double said_s = 0.0;  // as the model says it
    std::int64_t steps = 0;
  };
  Elapsed elapsed() const { return {start_s_, now_s_, said_s_, steps_}; }
  // As if these advances had been made, none of which closed a record. The run that began then is set.
  void go_to(const Elapsed& elapsed);
  // From here on its records are those of that one.
  void succeed(const RecordClock& earlier);

  // The next advance, and whether it closes a record.
  ClosingTime next() const;
  // The first one from now on that closes a record.
  ClosingTime next_due() const;
  bool is_due() const;

  // The model stays at the start.
  bool stands(double time_s) const { return steps_ == 0 && time_s == now_s_; }
  // is_predicted: what is known of the record depends on its time. Errors: STATE for another time than next() says, and
  // where the first advance has to stand.
  void require_step(double time_s, bool is_predicted) const;
  // Errors: STATE where records wait for an end of the run that is not said.
  void require_end() const;
  void advance(double time_s);

 private:
  bool is_at_end(double time_s) const { return end_s_ && time_s >= *end_s_ - tolerance_of(time_step_s_); }
  bool is_near(double time_s, double other_s) const;
  bool is_due_at(double time_s) const;
  ClosingTime steps_ahead(std::int64_t steps) const;
  // Of grid points, how many have had their record by then, but for a whole number.
  std::int64_t passed_at(double time_s) const;
  bool is_as_predicted(double time_s) const;

  std::string name_;
  Interval every_;
  TimeOrigin origin_;
  double time_step_s_;
  TimeWindow window_;
  double start_s_ = 0.0;
  double now_s_ = 0.0;   // a sum of whole steps, as long as it is near to
  double said_s_ = 0.0;  // what the model says
  std::optional<double> end_s_;
  std::int64_t steps_ = 0;
  bool initial_pending_;
  bool is_before_grid_;  // a record is of the last step up to its grid point
  bool is_held_ = false;
};

}  // namespace thalweg::files
