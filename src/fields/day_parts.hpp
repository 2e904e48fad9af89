// Parts of the day as a model has it, in which `diurnal` gathers. Pure.
#pragma once

#include <string>

#include "base/calendar.hpp"

namespace thalweg::fields {

class DayParts {
 public:
  // Model time counts from the reference date.
  DayParts(int count, const Date& reference);

  int count() const { return count_; }
  double length_s() const { return day_s / count_; }
  // In which a time lies; of two that meet there it is the later one.
  int part_at(double time_s) const;
  // Of an interval: from where the part begins for the first time to where it ends for the last time. A part that the
  // interval has not at all is that of the day behind its begin.
  struct Span {
    double begin_s;
    double end_s;
  };
  Span within(int part, double begin_s, double end_s) const;

  // What files call them.
  std::string dimension() const;  // and its coordinate
  std::string climatology() const { return climatology_of(count_); }
  // The time of each part in each record.
  static std::string climatology_of(int count);

 private:
  static constexpr double day_s = 86400.0;
  double midnight_before(double time_s) const;

  int count_;
  double reference_s_;  // from midnight on
};

}  // namespace thalweg::fields
