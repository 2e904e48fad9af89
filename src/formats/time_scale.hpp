// How the numbers of a time coordinate count model time: its units and its calendar, understood once for all of them.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/calendar.hpp"
#include "formats/time_units.hpp"

namespace thalweg::formats {

// The model time at which a run began.
struct RunStart {
  Calendar calendar = Calendar::standard;
  Date reference{};
  double time_s = 0.0;  // since the reference
  // Times of another calendar are those of the same date; NaN where the run's calendar has none such.
  bool translates = false;
};

class TimeScale {
 public:
  // Nothing, and why: they cannot be understood. A coordinate that says no calendar has the run's, or "standard" where
  // the run translates, as CF means it.
  static std::optional<TimeScale> understood(const std::string& units, const std::string& calendar,
                                             const RunStart& start, std::string* why);

  // Of a value of the coordinate, by its date. Nothing, and why: it is none.
  std::optional<double> model_time(double value, std::string* why) const;
  // The same, and nothing where it is of another calendar than a run that does not translate. The Gregorian calendars
  // are the same from 1582-10-15 on.
  std::optional<double> own_time(double value, std::string* why) const;

  double unit_s() const { return units_.seconds; }

 private:
  TimeScale(std::string said, const TimeUnits& units, Calendar calendar, const RunStart& start)
      : said_(std::move(said)), units_(units), calendar_(calendar), start_(start) {}

  std::string said_;  // the units, as they are written
  TimeUnits units_;
  Calendar calendar_;
  RunStart start_;
};

}  // namespace thalweg::formats
