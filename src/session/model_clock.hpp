// Model time, and whether the next step can be made, before any collection makes it.
#pragma once

#include <optional>

#include "config/settings.hpp"
#include "profile/model_progress.hpp"
#include "session/declared.hpp"

namespace thalweg::session {

class ModelClock {
 public:
  // All that is given outlives this.
  ModelClock(const config::Settings& settings, Declared& declared, profile::ModelProgress& progress)
      : settings_(settings), declared_(declared), progress_(progress) {}

  double now_s() const { return now_s_; }
  // The program has said where it is in time.
  bool is_told() const { return is_set_ || advanced_; }
  bool has_advanced() const { return advanced_; }
  // Puts or advances have begun.
  void run() { running_ = true; }

  // Errors: STATE once puts or advances have begun; ARGUMENT.
  void require_start(double time_s) const;
  void set(double time_s);
  // The run ends then. Errors: STATE, as of its start; ARGUMENT.
  void require_end(double time_s) const;
  void set_end(double time_s);

  // The run ends before the time that was said, which a record waits for: says so.
  void note_end() const;

  // Every collection can make this step, or none makes it. Errors: ARGUMENT, STATE.
  void require_step(double time_s) const;
  void step(double time_s);
  // The program closes a record of the collection then. Errors: ARGUMENT, STATE.
  void require_record(const Collection& collection, double time_s) const;

  // Of a new collection. While one waits for its initial record, the first advance stands still, and is none for the
  // others.
  void start(Collection& collection);
  // Of one that is opened behind advances, as if it had been there before them.
  void go_to(Collection& collection, const files::RecordClock::Elapsed& elapsed) const {
    if (advanced_) collection.schedule.set_run_time(elapsed.start_s, end_s_, {}, elapsed);
  }
  // Of one that gathers, whose first interval began in an earlier run.
  void go_on(Collection& collection, const files::KeptInterval& from) const {
    collection.schedule.set_run_time(now_s_, end_s_, from);
  }

 private:
  void require_not_running(const char* call) const;
  void require_model_time(const char* call, double time_s) const;
  void require_before_end(double time_s) const;
  void require_initial_records() const;
  void tell_schedules();

  const config::Settings& settings_;
  Declared& declared_;
  profile::ModelProgress& progress_;
  bool running_ = false;
  bool advanced_ = false;
  bool is_set_ = false;
  double now_s_ = 0.0;
  std::optional<double> end_s_;
};

}  // namespace thalweg::session
