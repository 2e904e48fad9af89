// The next record of a collection: when it is closed, by the model's clock or by the program, and where it goes. Pure;
// the same on every rank, without communication, from the model time alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "block/moment.hpp"
#include "config/settings.hpp"
#include "files/file_labels.hpp"
#include "files/record_clock.hpp"
#include "files/record_interval.hpp"

namespace thalweg::files {

// Which files of a series a group of servers writes: each `groups`th, from `first` on.
struct FileTurns {
  std::int64_t groups = 1;
  std::int64_t first = 0;
  bool has(std::int64_t file) const { return file % groups == first; }
  std::int64_t number_of(std::int64_t file) const { return file / groups; }
  std::int64_t count_among(std::int64_t files) const { return (files + groups - 1 - first) / groups; }
};

// Where nobody has put anything, an interval may end without a record.
enum class Closing { record, interval };

struct Upcoming : Label {
  bool due = false;         // at the next advance, or when the program closes it
  std::int64_t record = 0;  // of the collection, counted over all its files, as far as its group writes them
  block::Moment moment() const { return {record, index_in_file}; }
};

class RecordSchedule {
 public:
  // Errors: CONFIG where the time step is needed and not said.
  RecordSchedule(const config::CollectionSettings& collection, const config::Settings& settings, FileTurns turns = {});

  // The run starts then, and ends then, if the program says so. kept: of a collection that gathers, the first interval
  // of which began in an earlier run. elapsed: the run has come so far, and no record was closed.
  void set_run_time(double start_s, std::optional<double> end_s = {}, const std::optional<KeptInterval>& kept = {},
                    const std::optional<RecordClock::Elapsed>& elapsed = {});
  // Its records are those of that one, from the upcoming one on, in files of its own.
  void succeed(const RecordSchedule& earlier);
  // It has no more records.
  void end();
  void set_next_file(const std::string& name);
  void begin_cycle_at(std::int64_t number);  // of FileLabels
  void hold_for_start(bool stands);
  const RecordClock& clock() const { return clock_; }
  // Of the upcoming record, where it gathers over an interval: the program's side of that closes it.
  const std::optional<RecordInterval>& interval() const { return interval_; }
  const TimeOrigin& origin() const { return origin_; }

  const Upcoming& upcoming() const { return upcoming_; }
  // Whether going on to this time closes the upcoming record, whose turn it may be. Errors: STATE for a time that was
  // not predicted.
  bool closes(double time_s) const;
  // Time goes on; closes(time_s) came before.
  void advance(double time_s);
  // Errors: STATE for a record that the program cannot close then.
  void require_record_at(double time_s) const;
  // The upcoming record is closed, by the program, or as an earlier one; or its interval ends without it.
  void close(double time_s, Closing closing = Closing::record);

  // The file that the program closes now; opens_file: it has no record; due: it is one of these. Errors: STATE where
  // there is none.
  Upcoming ending() const;
  // It is closed.
  void close_file();

  // ---- records of earlier runs
  // The upcoming record is one of them, in the file that the first record of this run opens; or they are over, which
  // were closed like any other.
  void expect_earlier(bool are_any);
  // The file that a record at the start of the run would end, which is another one where it begins one; "": the name
  // does not follow from the time.
  std::string file_before_start() const { return labels_.name_at({clock_.start_s(), 0, false}); }

  std::int64_t closed_records() const { return closed_.records; }
  // Leading files, up to the last one that the program has closed.
  std::int64_t closed_files() const { return closed_.files; }
  // The number of the file that is open for more records; nothing: there is none.
  std::optional<std::int64_t> open_file() const {
    const std::int64_t last = labels_.files() - 1;
    return labels_.is_open() && turns_.has(last) ? std::optional(turns_.number_of(last)) : std::nullopt;
  }
  // The file of the last record, or of the one that is coming, if its name is known. Other groups' files are not among
  // these.
  const std::string& file_name() const { return closed_.file_name.empty() ? upcoming_.file_name : closed_.file_name; }
  // Files that the closed records lie in. A collection without records leaves a file as well, unless each is of one
  // record, or the series has files of another collection.
  std::int64_t file_count() const { return turns_.count_among(std::max(closed_.least_files, labels_.files())); }

 private:
  // As far as the group writes them.
  struct Closed {
    std::int64_t records = 0;
    std::int64_t files = 0;
    std::int64_t least_files = 0;  // of the series, also without records
    std::string file_name;         // of the last record or file
  };

  void predict();
  void end_record();

  TimeOrigin origin_;
  std::string name_;
  bool is_on_demand_;
  bool every_is_time_;
  RecordClock clock_;
  std::optional<RecordInterval> interval_;
  FileLabels labels_;
  FileTurns turns_;
  Closed closed_;
  std::optional<double> last_record_s_;  // that the program closed
  bool is_earlier_ = false;              // the upcoming record
  bool is_over_ = false;
  bool is_any_due_ = false;  // where not upcoming_, another group's
  Label label_;              // of that
  Upcoming upcoming_;
};

}  // namespace thalweg::files
