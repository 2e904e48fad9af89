// That all ranks make the same steps. Nothing is sent for it in a step: clients of a node look at what their neighbours
// among its clients did, and all ranks compare when they come together in wait and finish. A difference is to end the
// output of all, so that no file gets its name whose records some ranks saw otherwise.
#pragma once

#include <functional>
#include <string>

#include "roles/circle.hpp"
#include "roles/roles.hpp"
#include "staging/process_states.hpp"

namespace thalweg::health {

class StepAgreement {
 public:
  // All that is given outlives this.
  StepAgreement(const roles::Roles& roles, const staging::ProcessStates& processes)
      : roles_(roles), processes_(processes) {}

  void begin(double time_s);  // at the start time, if it is not 0

  // Errors: AGREEMENT, where a neighbour is seen to do something else.
  void make(double time_s);
  // Before a call that nobody leaves until all are there: who is not here, and has made more steps, made too many.
  // Errors: AGREEMENT.
  void meet();

  // Collective over circle; ranks for which it is null take no part. Errors: AGREEMENT, on all of them.
  void check(const roles::Circle& circle, double now_s) const;

 private:
  void for_neighbours(const std::function<void(const staging::ClientState&)>& look);

  const roles::Roles& roles_;
  const staging::ProcessStates& processes_;
  double started_at_s_ = 0.0;
  std::uint64_t hash_ = 0;  // of the times of all steps
};

}  // namespace thalweg::health
