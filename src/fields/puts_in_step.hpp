// What is put of fields in a step, as numbers: the variables, rules and expressions take it that want it. Puts of parts
// may come from several threads at once.
#pragma once

#include <deque>
#include <mutex>

#include "fields/defined_fields.hpp"
#include "fields/derived_fields.hpp"
#include "fields/field_state.hpp"
#include "fields/step_of_time.hpp"

namespace thalweg::fields {

class PutsInStep {
 public:
  // All outlive this. states: of the fields.
  PutsInStep(int rank, const DefinedFields& defined, std::deque<FieldState>& states, StepOfTime& step);

  // What is made of fields.
  DerivedFields& derived() { return derived_; }

  // Errors: SHAPE, ARGUMENT, STATE, which leave no trace.
  void put(int field, int box, const put::Field& array, const PutTerms& terms);
  // A variable or an expression takes what is put of it now.
  bool want(int field);
  // Before records are closed: what waits for the end of the step is taken.
  void end();

 private:
  FieldState& state_of(int field) { return states_[static_cast<std::size_t>(field)]; }
  bool wants(int field) const;
  Taking begin(int field, int box, const PutSample& put, bool is_once);
  // What is one sample of the step.
  void take(FieldState& state, int box, const PutSample& put, const JoiningRule& rule = {});

  const DefinedFields& defined_;
  std::deque<FieldState>& states_;
  StepOfTime& step_;
  DerivedFields derived_;
  std::mutex noting_;  // what is put, and who takes it
};

}  // namespace thalweg::fields
