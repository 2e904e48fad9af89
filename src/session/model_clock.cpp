#include "session/model_clock.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"

namespace thalweg::session {

void ModelClock::require_model_time(const char* call, double time_s) const {
  if (is_model_time(settings_.calendar, settings_.reference_date, time_s)) return;
  fail(THALWEG_ERROR_ARGUMENT,
       "{} to {} s since {}: this is no model time; it must be finite, and a date of the years -{} to {}", call, time_s,
       to_string(settings_.reference_date), last_year, last_year);
}

void ModelClock::require_step(double time_s) const {
  require_model_time("advance", time_s);
  // Only the first advance may stand still: it closes initial records.
  if (time_s < now_s_ || (time_s == now_s_ && advanced_))
    fail(THALWEG_ERROR_STATE, "advance to {} s, but model time is {} s already; time must grow", time_s, now_s_);
  if (end_s_) require_before_end(time_s);
  for (const Collection* collection : declared_.ready)
    if (collection->schedule.closes(time_s)) collection->require_record(collection->schedule.upcoming());
  for (const Collection& sketch : declared_.sketched) static_cast<void>(sketch.schedule.closes(time_s));
  if (time_s == now_s_) require_initial_records();
}

void ModelClock::require_before_end(double time_s) const {
  const double tolerance_s = files::tolerance_of(settings_.time_step_s);
  if (advanced_ && now_s_ >= *end_s_ - tolerance_s)
    fail(THALWEG_ERROR_STATE,
         "advance to {} s, but the run has ended with the advance to {} s: set_end_time said that it ends at {} s",
         time_s, now_s_, *end_s_);
  if (time_s > *end_s_ + tolerance_s)
    fail(THALWEG_ERROR_STATE, "advance to {} s, but set_end_time said that the run ends at {} s", time_s, *end_s_);
}

void ModelClock::require_initial_records() const {
  const auto is_initial = [](const Collection* collection) { return collection->schedule.clock().awaits_initial(); };
  if (!declared_.ready.empty() && std::ranges::none_of(declared_.ready, is_initial))
    fail(THALWEG_ERROR_STATE,
         "advance to {} s, which is the start time: it would close no record, because no collection has "
         "'initial-record'; set initial-record: true for those that write the state at the start, or begin with the "
         "advance of the first step, and put nothing before it that is not its",
         now_s_);
  for (const Collection* collection : declared_.ready)
    if (!is_initial(collection) && !collection->declaration.settings().has_records_by_call() &&
        collection->has_begun_record())
      fail(THALWEG_ERROR_STATE,
           "advance to {} s, which is the start time, but collection '{}' has fields already and no 'initial-record'; "
           "set initial-record: true for it, or put them after this advance",
           now_s_, collection->name);
}

void ModelClock::require_record(const Collection& collection, double time_s) const {
  require_model_time("record", time_s);
  collection.schedule.require_record_at(time_s);
  collection.require_record(collection.schedule.upcoming());
}

void ModelClock::require_not_running(const char* call) const {
  if (running_)
    fail(THALWEG_ERROR_STATE,
         "{} comes before the first put, also of what has no records, and before thalweg_ready and advance; model time "
         "is {} s already",
         call, now_s_);
}

void ModelClock::require_start(double time_s) const {
  require_not_running("set_time");
  require_model_time("set_time", time_s);
  if (end_s_ && time_s > *end_s_)
    fail(THALWEG_ERROR_ARGUMENT, "set_time to {} s, but set_end_time said that the run ends at {} s", time_s, *end_s_);
}

void ModelClock::require_end(double time_s) const {
  require_not_running("set_end_time");
  require_model_time("set_end_time", time_s);
  if (time_s < now_s_) fail(THALWEG_ERROR_ARGUMENT, "set_end_time to {} s, but the run starts at {} s", time_s, now_s_);
}

void ModelClock::set(double time_s) {
  is_set_ = true;
  now_s_ = time_s;
  progress_.start_s.store(time_s, std::memory_order_relaxed);
  tell_schedules();
}

void ModelClock::set_end(double time_s) {
  end_s_ = time_s;
  progress_.end_s.store(time_s, std::memory_order_relaxed);
  tell_schedules();
}

void ModelClock::note_end() const {
  if (!end_s_ || now_s_ >= *end_s_ - files::tolerance_of(settings_.time_step_s)) return;
  for (const Collection* collection : declared_.ready)
    if (collection->declaration.settings().every.is_run && !collection->schedule.interval())
      log::warning(
          "collection '{}': with 'every: end' its record is that of {} s, as thalweg_set_end_time said, but the run "
          "ends at {} s, so it is not written",
          collection->name, *end_s_, now_s_);
}

void ModelClock::tell_schedules() {
  for (Collection& collection : declared_.collections) collection.schedule.set_run_time(now_s_, end_s_);
  for (Collection& sketch : declared_.sketched) sketch.schedule.set_run_time(now_s_, end_s_);
}

void ModelClock::step(double time_s) {
  advanced_ = true;
  now_s_ = time_s;
  progress_.make_step(time_s);
  for (Collection& sketch : declared_.sketched) sketch.schedule.advance(time_s);
}

void ModelClock::start(Collection& collection) {
  collection.schedule.set_run_time(now_s_, end_s_);
  const bool stands = !advanced_ && declared_.await_initial();
  for (Collection& each : declared_.collections) each.schedule.hold_for_start(stands);
  for (Collection& each : declared_.sketched) each.schedule.hold_for_start(stands);
}

}  // namespace thalweg::session
