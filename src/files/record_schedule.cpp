#include "files/record_schedule.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/title.hpp"

namespace thalweg::files {

RecordSchedule::RecordSchedule(const config::CollectionSettings& collection, const config::Settings& settings,
                               FileTurns turns)
    : origin_{settings.calendar, settings.reference_date},
      name_(collection.name),
      is_on_demand_(collection.has_records_by_call()),
      every_is_time_(is_time(collection.every) && !collection.has_statistics()),
      clock_(collection, settings),
      labels_(collection, settings),
      turns_(turns) {
  closed_.least_files = labels_.one_record() ? 0 : 1;
  if ((every_is_time_ || labels_.needs_time()) && settings.time_step_s <= 0.0)
    fail(THALWEG_ERROR_CONFIG,
         "{}: 'every' or 'new-file' in model time, or a date in 'file', needs the step that the model "
         "advances by; set 'time-step: 10 min' (or what it is) at the top of the configuration",
         config::title_of(collection));
  if (collection.has_statistics() && collection.every.steps != 0 && settings.time_step_s <= 0.0)
    fail(THALWEG_ERROR_CONFIG,
         "{}: operations over {} need the length of a step; set 'time-step: 10 min' (or what it is) at "
         "the top of the configuration, or an 'every' in model time",
         config::title_of(collection), counted(collection.every.steps, "step"));
  if (collection.has_statistics()) interval_.emplace(collection, settings);
  predict();
}

void RecordSchedule::set_run_time(double start_s, std::optional<double> end_s, const std::optional<KeptInterval>& kept,
                                  const std::optional<RecordClock::Elapsed>& elapsed) {
  clock_.set_run(start_s, end_s);
  if (kept) interval_->go_on(*kept);
  if (interval_) interval_->set_run(start_s, end_s);
  labels_.set_start(interval_ ? interval_->run_start_s() : start_s);
  if (elapsed) clock_.go_to(*elapsed);
  if (elapsed && interval_) interval_->pass(elapsed->now_s);
  predict();
}

void RecordSchedule::succeed(const RecordSchedule& earlier) {
  clock_.succeed(earlier.clock_);
  interval_ = earlier.interval_;
  labels_.succeed(earlier.labels_);
  last_record_s_ = earlier.last_record_s_;
  closed_.least_files = 0;
  predict();
}

void RecordSchedule::end() {
  is_over_ = true;
  predict();
}

void RecordSchedule::set_next_file(const std::string& name) {
  labels_.name_next_file(name);
  predict();
}

void RecordSchedule::begin_cycle_at(std::int64_t number) {
  labels_.begin_cycle_at(number);
  predict();
}

void RecordSchedule::hold_for_start(bool stands) {
  if (is_on_demand_) return;
  clock_.hold_for_start(stands);
  predict();
}

void RecordSchedule::predict() {
  upcoming_ = {};
  is_any_due_ = !is_over_ && (is_on_demand_ || is_earlier_ || clock_.is_due());
  upcoming_.record = closed_.records;
  if (!is_any_due_) return;
  const bool is_by_clock = is_earlier_ && !is_on_demand_;
  ClosingTime closing = is_by_clock ? clock_.next_due() : clock_.next();
  if (interval_) closing = interval_->named_by(closing);
  label_ = labels_.label_for(closing);
  upcoming_.due = turns_.has(label_.file);
  if (!upcoming_.due) return;
  static_cast<Label&>(upcoming_) = label_;
  upcoming_.file = turns_.number_of(label_.file);
}

bool RecordSchedule::closes(double time_s) const {
  if (is_over_) return false;
  if (is_on_demand_ && clock_.awaits_initial()) clock_.require_step(time_s, false);
  if (is_on_demand_) return false;
  clock_.require_end();
  if (clock_.stands(time_s) && !clock_.awaits_initial()) return false;
  clock_.require_step(time_s, every_is_time_ || labels_.needs_time());
  return is_any_due_;
}

void RecordSchedule::advance(double time_s) {
  if (closes(time_s)) end_record();
  clock_.advance(time_s);
  predict();
}

void RecordSchedule::require_record_at(double time_s) const {
  if (!is_on_demand_)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': its records are closed by `advance`, because it has an 'every'; set 'every: on-demand' for "
         "records that the program closes",
         name_);
  if (last_record_s_ && time_s <= *last_record_s_)
    fail(THALWEG_ERROR_STATE, "collection '{}': a record at {} s, but its last one is of {} s; time must grow", name_,
         time_s, *last_record_s_);
}

void RecordSchedule::close(double time_s, Closing closing) {
  if (closing == Closing::record) {
    last_record_s_ = time_s;
    end_record();
  }
  if (interval_ && !is_earlier_) interval_->close(time_s);
  predict();
}

Upcoming RecordSchedule::ending() const {
  Upcoming ending;
  static_cast<Label&>(ending) = labels_.ending();
  ending.due = turns_.has(ending.file);
  ending.file = turns_.number_of(ending.file);
  ending.record = closed_.records;
  return ending;
}

void RecordSchedule::close_file() {
  const Label ending = labels_.ending();
  labels_.end_file(ending);
  closed_.files = turns_.count_among(labels_.files());
  if (turns_.has(ending.file)) closed_.file_name = labels_.file_name();
  predict();
}

void RecordSchedule::expect_earlier(bool are_any) {
  is_earlier_ = are_any;
  predict();
}

void RecordSchedule::end_record() {
  labels_.use(label_);
  if (!labels_.is_open()) closed_.files = turns_.count_among(labels_.files());
  if (!upcoming_.due) return;
  ++closed_.records;
  closed_.file_name = labels_.file_name();
}

}  // namespace thalweg::files
