#include "fields/step_of_time.hpp"

#include <cmath>
#include <list>

#include "base/error.hpp"

namespace thalweg::fields {

bool StepOfTime::is_before_steps() const {
  return number_ == 0 && session_.core().declared.await_initial();
}

double StepOfTime::end_s() const {
  if (said_end_s_) return *said_end_s_;
  const session::Declared& declared = session_.core().declared;
  for (const std::list<session::Collection>* all : {&declared.collections, &declared.sketched})
    for (const session::Collection& of : *all)
      if (of.schedule.interval()) return of.schedule.clock().next().time_s;
  return session_.now_s() + session_.settings().time_step_s;
}

bool StepOfTime::is_known() const {
  return said_end_s_ || session_.settings().time_step_s > 0.0;
}

void StepOfTime::require_end(double end_s) const {
  if (!(end_s > session_.now_s()) || !std::isfinite(end_s))
    fail(THALWEG_ERROR_ARGUMENT, "a step that ends at {} s, but model time is {} s; it ends later", end_s,
         session_.now_s());
  if (has_sample_)
    fail(THALWEG_ERROR_STATE, "thalweg_step to {} s behind a put of the same step; it comes before them", end_s);
}

// Of whole steps it is 1, so that samples of equal steps have the same weights whether the program says them or not.
double StepOfTime::weight() const {
  if (!said_end_s_) return 1.0;
  const double whole_s = session_.settings().time_step_s;
  const double length_s = *said_end_s_ - session_.now_s();
  if (whole_s <= 0.0) return length_s;
  const double steps = length_s / whole_s;
  return std::abs(steps - 1.0) < 1e-9 ? 1.0 : steps;
}

void StepOfTime::require_advance(double time_s) const {
  if (!said_end_s_ && !has_sample_) return;
  const double end_s = this->end_s(), step_s = session_.settings().time_step_s;
  const double tolerance_s = files::tolerance_of(step_s);
  if (std::abs(time_s - end_s) <= tolerance_s) return;
  if (!said_end_s_ && std::abs(time_s - session_.now_s() - step_s) <= tolerance_s) return;  // as the clock takes it
  if (said_end_s_)
    fail(THALWEG_ERROR_STATE, "advance to {} s, but thalweg_step said that the step ends at {} s", time_s, end_s);
  fail(
      THALWEG_ERROR_STATE,
      "advance to {} s, but by 'time-step' the step of which fields were put ends at {} s; a program whose steps are "
      "not all as long calls thalweg_step before the puts of each, one whose last step is shorter thalweg_set_end_time",
      time_s, end_s);
}

void StepOfTime::end() {
  said_end_s_.reset();
  has_sample_ = false;
  ++number_;
}

}  // namespace thalweg::fields
