// What is put of a field several times in a step, joined into one sample when the step ends.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "fields/accumulator.hpp"
#include "fields/sample.hpp"

namespace thalweg::fields {

// How collections have it; by itself: they refuse it.
struct JoiningRule {
  config::RepeatedPuts repeat = config::RepeatedPuts::error;
  config::MissingSamples missing = config::MissingSamples::skip;
  friend auto operator<=>(const JoiningRule&, const JoiningRule&) = default;
};

JoiningRule joining_rule_of(const config::FieldSettings& fields);

class RepeatedPuts {
 public:
  // boxes: of this rank.
  RepeatedPuts(const JoiningRule& rule, const std::vector<double>& missing, const std::vector<Box>& boxes);

  void put(int box, const PutSample& put);

  // Takes what a box has in this step; of cells that were not put it has nothing.
  using Take = std::function<void(int box, const PutSample& put)>;
  // Boxes that were put are taken. The sample weighs what the last put says.
  void end_step(const Take& take);

 private:
  struct InStep {
    Accumulator values;
    SampleWeight weight;
  };
  std::vector<InStep> boxes_;
};

}  // namespace thalweg::fields
