// Where the records of a collection go: in which file of the series, as which record of it. Pure; the same on every
// rank.
//
// Rules
//  1. With new-file, a file holds the records of an interval (begin, end], and is named by its begin. An initial record
//     belongs to the interval that begins with it.
//  2. Without, a template is filled with the record's own time, and a new file begins when the name changes.
//  3. Once the program names a file, it names all that follow.
//  4. A file of one record ends with it.
//  5. Files that are written in turn are of one record, and are named by their number in the cycle.
#pragma once

#include <cstdint>
#include <string>

#include "config/settings.hpp"
#include "files/output_interval.hpp"
#include "files/record_clock.hpp"

namespace thalweg::files {

// The label of a record.
struct Label {
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  bool opens_file = false;
  std::string file_name;  // set where opens_file
};

class FileLabels {
 public:
  FileLabels(const config::CollectionSettings& collection, const config::Settings& settings);

  void set_start(double start_s) { origin_.set_start(start_s); }  // of the run
  // Its files are those that would follow the open one of these.
  void succeed(const FileLabels& earlier);
  // Names follow from the time of records.
  bool needs_time() const;
  void name_next_file(const std::string& name);

  // The file of a record that is closed then, where its name follows from the time alone; "": it does not.
  std::string name_at(const ClosingTime& closing) const;
  // Of a record that is closed then, as things are now.
  Label label_for(const ClosingTime& closing);
  // The record that label_for() was asked for last has got it.
  void use(const Label& label);

  // Of the file that the program closes now: the open one, or, where none is open, one without records. Errors: STATE
  // where that has no name.
  Label ending() const;
  // It is closed: a later record opens the next file.
  void end_file(const Label& ending);

  bool one_record() const { return one_record_; }
  // The first file of the cycle has so many before it.
  void begin_cycle_at(std::int64_t number) { cycle_.first = number; }
  // Records may follow in the file of the last one.
  bool is_open() const { return is_open_; }
  // The file of the last record; "" before the first.
  const std::string& file_name() const { return file_name_; }
  std::int64_t files() const { return number_ + 1; }

 private:
  // Records with equal groups share a file.
  struct Group {
    std::string key;
    std::string name;  // of the file
  };
  Group group_of(const ClosingTime& closing) const;

  std::string collection_;
  std::string file_;
  Interval new_file_;
  TimeOrigin origin_;
  double time_step_s_;
  bool one_record_;
  struct Cycle {
    std::int64_t files = 0;  // that have other names; 0: all
    std::int64_t first = 0;
    std::int64_t number_of(std::int64_t file) const { return (file + first) % files + 1; }
  } cycle_;
  std::string group_;  // what the records of the open file have in common
  std::string upcoming_group_;
  std::int64_t number_ = -1;
  std::int64_t index_in_file_ = 0;
  bool is_open_ = false;  // records may follow in the file
  std::string file_name_;
  std::string next_file_;  // named by the program
  bool program_names_ = false;
};

}  // namespace thalweg::files
