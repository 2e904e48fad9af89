// The model times of the records of a complete file, as its time coordinate says them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/found_records.hpp"
#include "formats/readable_file.hpp"
#include "formats/time_scale.hpp"

namespace thalweg::formats {

// Times are sums of steps in floating point: so far apart they are the same.
constexpr double time_slack_s = 1e-3;

// "2000-01-01 00:00:00"
std::string date_text(const RunStart& start, double time_s);

// The text of an attribute, without the NULs of C; "": there is none, or one of numbers.
std::string text_of(const catalog::Variable& variable, const char* name);

// What a coordinate says of itself.
struct SaidOfCoordinate {
  std::string name;
  std::string units;
  std::string axis;
  std::string standard_name;
};
// CF 1.12, §4.4: it is one of time (above 0), and said to be by more than its units (above 1).
int likeness_to_time(const SaidOfCoordinate& said);

// When a record was, as the run counts its model time: as TimeScale::model_time.
std::optional<double> model_time(const RecordTime& record, const RunStart& start, std::string* why);

// By the coordinate of the records, or another variable of numbers with units of time. Nothing: there is none.
std::optional<RecordTime> time_of_record(ReadableFile& file, std::int64_t record);

// Of a file without records, which is of one time: a scalar variable "time", or of that standard name, says it.
// Nothing: there is none that is understood, or it is of another calendar than the run.
std::optional<double> time_of_file(ReadableFile& file, const RunStart& start);

struct RecordTimes {
  std::vector<double> times_s;
  double resolution_s = 0.0;  // the file's type knows none between two times that are closer
};

// Of all records, in order. Errors: FORMAT where the file has no time coordinate, or none that is known here, or
// another calendar than a run that does not translate; STORAGE.
RecordTimes record_times(ReadableFile& file, const std::string& path, const RunStart& start);

}  // namespace thalweg::formats
