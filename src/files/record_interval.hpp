// The interval of time over which a record of a collection gathers what is put. Pure; the same on every rank, from the
// model time alone.
//
// Rules
//  1. Edges are dates: the anchor of the collection and whole numbers of `every` after it. An interval is (begin, end]:
//     a step belongs to the one in which it ends.
//  2. The first interval begins with the run, or where an earlier run kept it; the last one ends with the run.
//     Both may be those of a window: `from` and `until` of the collection.
//  3. The record is closed by the first step that comes to the end of the interval, which need not meet it. One that is
//     met to within the tolerance of steps is the edge itself.
#pragma once

#include <cstdint>
#include <optional>

#include "config/settings.hpp"
#include "files/output_interval.hpp"
#include "files/record_clock.hpp"
#include "files/time_window.hpp"

namespace thalweg::files {

// Where a run stood when what it had gathered was kept, from which this one goes on.
struct KeptInterval {
  double run_start_s = 0.0;  // of the first run
  double begin_s = 0.0;      // of the interval
  std::int64_t records = 0;  // before it, in the file that goes on
};

class RecordInterval {
 public:
  RecordInterval(const config::CollectionSettings& collection, const config::Settings& settings);

  void set_run(double start_s, std::optional<double> end_s);
  // The first interval began in an earlier run.
  void go_on(const KeptInterval& from);
  const std::optional<KeptInterval>& kept() const { return kept_; }
  // Of the first run.
  double run_start_s() const { return run_start_s_; }

  double begin_s() const { return begin_s_; }
  // Infinite where nobody knows when the run ends.
  double end_s() const { return end_s_; }
  // A step that ends then closes the record.
  bool ends_by(double time_s) const { return time_s >= end_s_ - tolerance_s_; }
  // It belongs to a later interval.
  bool is_before(double time_s) const { return time_s > end_s_ + tolerance_s_; }
  // A step that ends then is of it, or of one that follows.
  bool takes(double time_s) const { return window_.has(time_s) && time_s > begin_s_ + tolerance_s_; }
  // There are no more.
  bool is_over() const { return window_.is_over(begin_s_); }
  // It has a whole interval within it, which then has no step of its own.
  bool is_skipped_by(double time_s) const { return is_before(time_s) && edge_behind(end_s_) <= time_s + tolerance_s_; }
  // The record is closed then.
  void close(double time_s);
  // Those that have ended by then had none.
  void pass(double time_s) {
    while (ends_by(time_s)) close(end_s_);
  }

  // When the record is closed, as far as the name of its file follows from that.
  ClosingTime named_by(ClosingTime closing) const;

 private:
  double edge(std::int64_t number) const;
  double edge_behind(double time_s) const;

  config::FileDate file_date_;
  Interval new_file_;
  Interval every_;
  TimeOrigin origin_;
  double tolerance_s_;
  TimeWindow window_;
  double begin_s_ = 0.0;
  double end_s_ = 0.0;
  double run_start_s_ = 0.0;
  std::optional<double> run_end_s_;
  std::optional<KeptInterval> kept_;
};

// Of a collection that gathers; null: it does not, or no earlier run has kept anything.
inline const KeptInterval* kept_in(const std::optional<RecordInterval>& interval) {
  return interval && interval->kept() ? &*interval->kept() : nullptr;
}

}  // namespace thalweg::files
