// The step that the model computes: when it ends, and what its samples weigh.
#pragma once

#include <cstdint>
#include <optional>

#include "session/session.hpp"

namespace thalweg::fields {

class StepOfTime {
 public:
  // The session outlives this.
  explicit StepOfTime(session::Session& session) : session_(session) {}

  std::int64_t number() const { return number_; }
  // The program says it, before its puts. Errors: ARGUMENT, STATE.
  void require_end(double end_s) const;
  void say_end(double end_s) { said_end_s_ = end_s; }
  double begin_s() const { return session_.now_s(); }
  double end_s() const;
  // Somebody knows it.
  bool is_known() const;
  double weight() const;  // of a sample
  // The next advance stands at the start, so that what is put before it is of no step.
  bool is_before_steps() const;

  // is_gathered: when the step ends counts.
  void note_sample(bool is_gathered) {
    had_samples_ = true;
    has_sample_ = has_sample_ || is_gathered;
  }
  bool has_sample() const { return has_sample_; }
  bool had_samples() const { return had_samples_; }  // this step, or one before

  // What was put is of the step that was predicted. Errors: STATE.
  void require_advance(double time_s) const;
  void end();

 private:
  session::Session& session_;
  std::optional<double> said_end_s_;
  std::int64_t number_ = 0;
  bool has_sample_ = false;
  bool had_samples_ = false;
};

}  // namespace thalweg::fields
