// When a collection has a record, and in which file it goes. Pure; the same on every rank, without communication, from
// the model time alone.
//
// Rules
//  1. Model time t lies on the grid of `every` if it is a whole number of intervals after the reference date (or, for
//     steps, after the start of the run). A record is due at the first advance to or past a grid point.
//  2. A put comes before the advance that says the time, so the coming time is predicted: now + time-step. Only steps
//     need no time-step.
//  3. With new-file, a file holds the records of an interval (begin, end], and is named by its begin. An initial record
//     belongs to the interval that begins with it.
//  4. Without, a template is filled with the record's own time, and a new file begins when the name changes.
#pragma once

#include <cstdint>
#include <string>

#include "block/moment.hpp"
#include "config/settings.hpp"

namespace thalweg::files {

struct Upcoming {
  bool due = false;
  std::int64_t record = 0;  // of the collection, counted over all its files
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  bool opens_file = false;
  std::string file_name;  // set where opens_file
  block::Moment moment() const { return {record, index_in_file}; }
};

class RecordSchedule {
 public:
  // Errors: CONFIG where the time step is needed and not said.
  RecordSchedule(const config::CollectionSettings& collection, const config::Settings& settings);

  void set_start_time(double time_s);
  void set_next_file(const std::string& name);
  // Of the run.
  double start_time_s() const { return start_s_; }
  Calendar calendar() const { return calendar_; }
  const Date& reference() const { return reference_; }
  // The first advance will stand still, for the initial record of some collection: it closes none that has no such
  // record, so nothing is due before it.
  void hold_for_start(bool stands);
  bool awaits_initial() const { return initial_pending_; }

  const Upcoming& upcoming() const { return upcoming_; }

  // Whether going on to this time closes the upcoming record. Errors: STATE for a time that was not predicted.
  bool closes(double time_s) const;
  // Time goes on; closes(time_s) came before.
  void advance(double time_s);

  std::int64_t closed_records() const { return closed_records_; }
  // The file of the last record, or of the one that is coming, if its name is known.
  const std::string& file_name() const { return file_name_.empty() ? upcoming_.file_name : file_name_; }
  // Files that the closed records lie in; at least one: a collection without records leaves a file as well.
  std::int64_t file_count() const { return file_ < 0 ? 1 : file_ + 1; }

 private:
  bool needs_time() const;
  void predict();
  std::int64_t intervals_until(const Interval& interval, double time_s) const;
  bool is_due(double next_s) const;
  std::string group_of(double time_s, std::string* name) const;

  config::CollectionSettings collection_;
  Calendar calendar_;
  Date reference_;
  double time_step_s_;
  double start_s_ = 0.0;
  double now_s_ = 0.0;
  std::int64_t steps_ = 0;
  bool initial_pending_;
  bool is_held_ = false;
  std::int64_t closed_records_ = 0;
  std::string group_;  // what the records of the open file have in common
  std::string upcoming_group_;
  std::int64_t file_ = -1;
  std::int64_t index_in_file_ = 0;
  std::string file_name_;  // of the last closed record
  std::string next_file_;  // named by the program
  bool program_names_ = false;
  Upcoming upcoming_;
};

}  // namespace thalweg::files
