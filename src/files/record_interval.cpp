#include "files/record_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::files {
RecordInterval::RecordInterval(const config::CollectionSettings& collection, const config::Settings& settings)
    : file_date_(collection.fields.file_date),
      new_file_(collection.new_file),
      every_(in_time(collection.every, settings.time_step_s)),
      origin_(origin_of(every_, collection, settings)),
      tolerance_s_(tolerance_of(settings.time_step_s)),
      window_(collection, settings) {
  if (collection.every.steps != 0) {
    origin_ = {settings.calendar, settings.reference_date};
    origin_.is_from_start = true;
  }
  set_run(0.0, {});
}

void RecordInterval::set_run(double start_s, std::optional<double> end_s) {
  run_end_s_ = end_s;
  run_start_s_ = kept_ ? kept_->run_start_s : start_s;
  origin_.set_start(run_start_s_);
  begin_s_ = kept_ ? kept_->begin_s : std::max(start_s, window_.begin_s);
  end_s_ = edge_behind(begin_s_);
}

void RecordInterval::go_on(const KeptInterval& from) {
  kept_ = from;
  set_run(from.run_start_s, run_end_s_);
}

double RecordInterval::edge(std::int64_t number) const {
  if (every_.seconds != 0.0) return origin_.anchor_s + static_cast<double>(number) * every_.seconds;
  return seconds_between(origin_.calendar, origin_.reference, origin_.begin_of(every_, number));
}

double RecordInterval::edge_behind(double time_s) const {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (window_.is_over(time_s)) return never;
  const double at_last = std::min(run_end_s_.value_or(never), window_.end_s);
  if (every_.is_run || (every_.seconds == 0.0 && every_.months == 0)) return at_last;
  std::int64_t number = origin_.intervals_until(every_, time_s) + 1;
  while (edge(number) <= time_s + tolerance_s_) ++number;
  return std::min(edge(number), window_.end_s);
}

void RecordInterval::close(double time_s) {
  begin_s_ = ends_by(time_s) ? end_s_ : time_s;
  end_s_ = edge_behind(begin_s_);
}

// A file of an interval of time has the records that begin in it; one of steps counts them.
ClosingTime RecordInterval::named_by(ClosingTime closing) const {
  using config::FileDate;
  if (new_file_.steps != 0) return closing;
  const double end_s = std::isfinite(end_s_) ? std::min(end_s_, run_end_s_.value_or(end_s_)) : begin_s_;
  const FileDate date = is_time(new_file_) ? FileDate::start : file_date_;
  closing.is_initial = date == FileDate::start;  // else it is that of the interval before which ends there
  closing.time_s = date == FileDate::start ? begin_s_
                   : date == FileDate::end ? end_s
                                           : begin_s_ + (end_s - begin_s_) / 2;
  return closing;
}

}  // namespace thalweg::files
