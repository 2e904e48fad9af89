#include "files/record_interval.hpp"

#include <cmath>
#include <limits>

namespace thalweg::files {
namespace {

// Steps are as long as the configuration says.
Interval in_time(const Interval& every, double time_step_s) {
  return every.steps == 0 ? every : Interval{.seconds = static_cast<double>(every.steps) * time_step_s};
}

Date unit_begin(const Interval& every, const Date& reference) {
  if (every.months != 0) return {.year = reference.year};
  return {.year = reference.year, .month = reference.month, .day = reference.day};
}

}  // namespace

RecordInterval::RecordInterval(const config::CollectionSettings& collection, const config::Settings& settings)
    : file_date_(collection.fields.file_date),
      anchored_(collection.every.steps != 0 ? config::Anchor::start : collection.fields.anchor),
      new_file_(collection.new_file),
      every_(in_time(collection.every, settings.time_step_s)),
      reference_{settings.calendar, settings.reference_date},
      anchor_(reference_),
      tolerance_s_(tolerance_of(settings.time_step_s)) {
  if (anchored_ == config::Anchor::calendar) {
    anchor_.reference = unit_begin(every_, reference_.reference);
    anchor_s_ = seconds_between(reference_.calendar, reference_.reference, anchor_.reference);
  }
  set_run(0.0, {});
}

void RecordInterval::set_run(double start_s, std::optional<double> end_s) {
  run_end_s_ = end_s;
  if (anchored_ == config::Anchor::start) {
    anchor_.reference = reference_.date_at(start_s);
    anchor_s_ = start_s;
  }
  begin_s_ = start_s;
  end_s_ = edge_behind(start_s);
}

double RecordInterval::edge(std::int64_t number) const {
  if (every_.seconds != 0.0) return anchor_s_ + static_cast<double>(number) * every_.seconds;
  return seconds_between(reference_.calendar, reference_.reference, anchor_.begin_of(every_, number));
}

double RecordInterval::edge_behind(double time_s) const {
  const double at_last = run_end_s_.value_or(std::numeric_limits<double>::infinity());
  if (every_.is_run || (every_.seconds == 0.0 && every_.months == 0)) return at_last;
  std::int64_t number = anchor_.intervals_until(every_, time_s - anchor_s_) + 1;
  while (edge(number) <= time_s + tolerance_s_) ++number;
  return edge(number);
}

void RecordInterval::close(double time_s) {
  begin_s_ = ends_by(time_s) ? end_s_ : time_s;
  end_s_ = edge_behind(begin_s_);
}

// A file of an interval of time has the records whose middle lies in it; one of steps counts them.
ClosingTime RecordInterval::named_by(ClosingTime closing) const {
  using config::FileDate;
  if (new_file_.steps != 0) return closing;
  const FileDate date = is_time(new_file_) ? FileDate::middle : file_date_;
  const double end_s = std::isfinite(end_s_) ? end_s_ : begin_s_;
  closing.time_s = date == FileDate::start ? begin_s_
                   : date == FileDate::end ? end_s
                                           : begin_s_ + (end_s - begin_s_) / 2;
  return closing;
}

}  // namespace thalweg::files
