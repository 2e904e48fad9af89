#include "files/record_schedule.hpp"

#include <cmath>

#include "base/error.hpp"

namespace thalweg::files {
namespace {

bool is_set(const Interval& interval) {
  return interval.steps != 0 || interval.months != 0 || interval.seconds != 0.0;
}
bool is_time(const Interval& interval) {
  return interval.months != 0 || interval.seconds != 0.0;
}

// Times are sums of steps in floating point: grid points are met to within this.
constexpr double slack_s = 1e-6;

}  // namespace

RecordSchedule::RecordSchedule(const config::CollectionSettings& collection, const config::Settings& settings)
    : collection_(collection),
      calendar_(settings.calendar),
      reference_(settings.reference_date),
      time_step_s_(settings.time_step_s),
      initial_pending_(collection.initial_record) {
  if (needs_time() && time_step_s_ <= 0.0)
    fail(THALWEG_ERROR_CONFIG,
         "{}collection '{}': 'every' or 'new-file' in model time, or a date in 'file', needs the step that the model "
         "advances by; set 'time-step: 10 min' (or what it is) at the top of the configuration",
         collection.place.empty() ? "" : collection.place + ": ", collection.name);
  predict();
}

bool RecordSchedule::needs_time() const {
  return is_time(collection_.every) || is_time(collection_.new_file) ||
         (is_template(collection_.file) && !program_names_);
}

void RecordSchedule::set_start_time(double time_s) {
  start_s_ = time_s;
  now_s_ = time_s;
  predict();
}

void RecordSchedule::set_next_file(const std::string& name) {
  next_file_ = name;
  program_names_ = true;
  predict();
}

void RecordSchedule::hold_for_start(bool stands) {
  is_held_ = stands && !initial_pending_;
  predict();
}

// Whole intervals between the reference date and a time.
std::int64_t RecordSchedule::intervals_until(const Interval& interval, double time_s) const {
  if (interval.seconds != 0.0) return static_cast<std::int64_t>(std::floor((time_s + slack_s) / interval.seconds));
  const Date date = date_after(calendar_, reference_, time_s + slack_s);
  const std::int64_t months = (date.year - reference_.year) * 12 + date.month - reference_.month;
  std::int64_t count =
      static_cast<std::int64_t>(std::floor(static_cast<double>(months) / static_cast<double>(interval.months)));
  const Date begin = add_months(calendar_, reference_, count * interval.months);
  return seconds_between(calendar_, reference_, begin) > time_s + slack_s ? count - 1 : count;
}

bool RecordSchedule::is_due(double next_s) const {
  if (initial_pending_) return true;
  if (collection_.every.steps != 0) return (steps_ + 1) % collection_.every.steps == 0;
  return intervals_until(collection_.every, next_s) > intervals_until(collection_.every, now_s_);
}

// Records with equal groups share a file.
std::string RecordSchedule::group_of(double time_s, std::string* name) const {
  if (program_names_) {
    *name = next_file_;
    return group_;
  }
  if (!is_set(collection_.new_file)) {
    *name = fill_template(collection_.file, calendar_,
                          date_after(calendar_, reference_, is_template(collection_.file) ? time_s + slack_s : 0.0));
    return *name;
  }
  if (collection_.new_file.steps != 0) {
    const std::int64_t begin = steps_ / collection_.new_file.steps * collection_.new_file.steps;
    const std::int64_t step = initial_pending_ ? steps_ : steps_ + 1;  // that reaches time_s
    const double begin_s = time_s - static_cast<double>(step - begin) * time_step_s_;
    *name = fill_template(collection_.file, calendar_, date_after(calendar_, reference_, begin_s + slack_s));
    return std::to_string(begin);
  }
  // A record closes an interval of the model, so one on a boundary belongs to the file before; the initial one does
  // not.
  const std::int64_t count = intervals_until(collection_.new_file, initial_pending_ ? time_s : time_s - 2 * slack_s);
  const Date begin = collection_.new_file.months != 0
                         ? add_months(calendar_, reference_, count * collection_.new_file.months)
                         : date_after(calendar_, reference_, static_cast<double>(count) * collection_.new_file.seconds);
  *name = fill_template(collection_.file, calendar_, begin);
  return std::to_string(count);
}

void RecordSchedule::predict() {
  const double next_s = initial_pending_ ? now_s_ : now_s_ + time_step_s_;
  upcoming_ = {};
  upcoming_.due = !is_held_ && is_due(next_s);
  upcoming_.record = closed_records_;
  if (!upcoming_.due) return;
  std::string name;
  upcoming_group_ = group_of(next_s, &name);
  upcoming_.opens_file = file_ < 0 || (program_names_ ? !next_file_.empty() : upcoming_group_ != group_);
  upcoming_.file = upcoming_.opens_file ? file_ + 1 : file_;
  upcoming_.index_in_file = upcoming_.opens_file ? 0 : index_in_file_;
  upcoming_.file_name = upcoming_.opens_file ? name : "";
}

bool RecordSchedule::closes(double time_s) const {
  const bool standing = steps_ == 0 && time_s == now_s_;
  if (standing && !initial_pending_) return false;
  if (!standing && initial_pending_)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': 'initial-record' is on, so the first advance must be at the start time {} s, not {} s",
         collection_.name, now_s_, time_s);
  if (!standing && needs_time() && std::abs(time_s - now_s_ - time_step_s_) > slack_s * std::max(1.0, time_step_s_))
    fail(THALWEG_ERROR_STATE,
         "collection '{}': advance from {} s to {} s, but 'time-step' is {} s; a run that starts later than the "
         "reference date says so by thalweg_set_time",
         collection_.name, now_s_, time_s, time_step_s_);
  return upcoming_.due;
}

void RecordSchedule::advance(double time_s) {
  const bool standing = steps_ == 0 && time_s == now_s_;
  if (closes(time_s)) {
    file_ = upcoming_.file;
    if (upcoming_.opens_file) file_name_ = upcoming_.file_name;
    index_in_file_ = upcoming_.index_in_file + 1;
    group_ = upcoming_group_;
    next_file_.clear();
    ++closed_records_;
  }
  if (!standing) ++steps_;
  initial_pending_ = false;
  is_held_ = false;
  now_s_ = time_s;
  predict();
}

}  // namespace thalweg::files
