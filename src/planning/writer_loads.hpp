// How the collections of a group come to its writers. Pure.
#pragma once

#include <map>
#include <vector>

#include "base/calendar.hpp"

namespace thalweg::planning {

// What each writer has been given so far: bytes that it writes for a step of the model, on average. All ranks give the
// same in the same order, and so find the same.
class WriterLoads {
 public:
  void give(int writer, double bytes_a_step) { bytes_a_step_[writer] += bytes_a_step; }
  double of(int writer) const;
  // Those with less to do come first; of equals, those that were before.
  void put_idlest_first(std::vector<int>& writers) const;

 private:
  std::map<int, double> bytes_a_step_;
};

// Steps of the model between two records, a month taken as 30 days; 1 where the length of a step was not said.
double steps_between(const Interval& every, double time_step_s);

}  // namespace thalweg::planning
