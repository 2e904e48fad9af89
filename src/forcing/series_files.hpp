// The files of a series, one behind the other in time, as one: records are counted through all of them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "read/inputs.hpp"

namespace thalweg::forcing {

class SeriesFiles {
 public:
  // Collective. name: as the configuration has it, or the path. path: of a file or a set, or the template of the names
  // of several. Errors: as of read::Input; FORMAT for files whose times overlap.
  SeriesFiles(read::Inputs& inputs, std::string name, const std::string& path, bool translates);
  ~SeriesFiles();
  SeriesFiles(const SeriesFiles&) = delete;
  SeriesFiles& operator=(const SeriesFiles&) = delete;

  const std::string& name() const { return name_; }
  const config::Settings& settings() const { return inputs_.around().settings; }
  read::Input& first() const { return *files_.front(); }
  const std::vector<read::Input*>& all() const { return files_; }

  std::int64_t records() const;
  // In seconds since the reference date; NaN where the calendar has no such date. Errors: FORMAT.
  std::vector<double> times() const;

  // Errors: NAME, with the nearest record; FORMAT.
  std::int64_t record_at(double time_s) const;

  // A record in its file.
  struct Place {
    read::Input* file = nullptr;
    std::int64_t record = 0;
  };
  // The file for what no record is of: the first.
  Place place_of(std::int64_t record) const;

  // Values of the file are read now, or soon: of the others only those that were before it stay open. Local.
  void use(read::Input& file);

 private:
  void sort_by_time();
  void require_apart() const;
  void note_gaps() const;

  read::Inputs& inputs_;
  std::string name_;
  std::vector<read::Input*> files_;
  std::deque<read::Input*> used_;  // the last ones, the latest first
};

}  // namespace thalweg::forcing
