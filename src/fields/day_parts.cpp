#include "fields/day_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "files/output_interval.hpp"

namespace thalweg::fields {

DayParts::DayParts(int count, const Date& reference)
    : count_(count), reference_s_(reference.hour * 3600.0 + reference.minute * 60.0 + reference.second) {}

double DayParts::midnight_before(double time_s) const {
  return std::floor((time_s + reference_s_) / day_s) * day_s - reference_s_;
}

int DayParts::part_at(double time_s) const {
  const double met_s = time_s + files::slack_s;
  return std::min(count_ - 1, static_cast<int>((met_s - midnight_before(met_s)) / length_s()));
}

DayParts::Span DayParts::within(int part, double begin_s, double end_s) const {
  double first_s = midnight_before(begin_s) + part * length_s();
  if (first_s + length_s() <= begin_s + files::slack_s) first_s += day_s;
  double last_s = midnight_before(end_s) + part * length_s();
  if (last_s >= end_s - files::slack_s) last_s -= day_s;
  return {first_s, std::max(first_s, last_s) + length_s()};
}

std::string DayParts::dimension() const {
  return fmt::format("time_of_day_{}", count_);
}

std::string DayParts::climatology_of(int count) {
  return fmt::format("climatology_{}", count);
}

}  // namespace thalweg::fields
