// What becomes of what is put of a field: which variables take it, and what was put of it in this step.
#pragma once

#include <atomic>
#include <map>
#include <vector>

#include "fields/output.hpp"
#include "fields/repeated_puts.hpp"
#include "fields/step_of_time.hpp"
#include "fields/taking.hpp"

namespace thalweg::fields {

// A variable that a field goes into; of: which of the things that are gathered for it.
struct FieldUse {
  Output* output;
  std::size_t of;
  JoiningRule rule;           // for cells that are put several times in a step
  const PickedBoxes* picked;  // as of the output; those that have the same cells have it in common
};

struct FieldState {
  std::vector<FieldUse> uses;
  HeldField held;  // once there are uses, or a derived field that has it
  bool is_gathered = false;
  bool is_awaited = false;    // chosen by a collection that is not opened before definitions end
  bool is_operand = false;    // of an expression, or at levels
  bool is_converted = false;  // some have it in other units
  std::atomic<std::int64_t> puts{0};
  bool is_single = false;                        // missing values are compared as float32 has them
  std::map<JoiningRule, RepeatedPuts> repeated;  // by rules of the uses that have one
  struct PutInStep {
    std::int64_t step = -1;
    bool is_whole = false;
    std::vector<Box> parts;  // in the order of memory
  };
  std::vector<PutInStep> put;  // of each box

  // Others come in their place. What was put in the step stays.
  void clear_uses();
  void add_use(Output& output, std::size_t of, const JoiningRule& rule);
  bool is_held() const { return !held.variable.where.empty(); }
  void hold(const Field& field, int rank, const HeldField& as);
  // Its arrays go into the output, as they are or by way of an expression.
  void hold(const Field& field, const Output& output, int rank, const HeldField& as);
  // More becomes of what is put than a copy.
  bool is_computed_with() const { return is_gathered || is_operand || is_converted || !repeated.empty(); }
  // What it has of a step is one sample, whatever is put several times: nobody refuses that.
  bool may_repeat() const;
  // Whether it is the first put of the box in the step. Errors: STATE where nobody knows when that ends, and for cells
  // that are put twice.
  bool begin_sample(StepOfTime& step, int box, const Part* part);
  // The uses of a rule by which it is gathered note a put. is_first: of the step.
  Taking begin_taking(const StepOfTime& step, int box, const PutSample& sample, bool is_first,
                      const JoiningRule& rule = {}) const;
  // The same of what is put before the advance that stands at the start.
  Taking begin_taking_beginning(int box, const PutSample& sample, const JoiningRule& rule = {}) const;
  // Those that have it as it is, where it is not put as a whole.
  void add_instants(Taking& taking, int box, const JoiningRule& rule = {}) const;

 private:
  std::vector<const PickedBoxes*> picked_;  // of the uses, each once
  // join(output, of, own box, takers): those of a use that take it join the takers.
  template <typename Join>
  Taking taking_by(int box, const JoiningRule& rule, const Join& join) const;
};

}  // namespace thalweg::fields
