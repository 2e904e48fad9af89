// That all ranks make the same steps: advances, and records that the program closes. Nothing is sent for it in a step:
// clients of a node look at what their neighbours among its clients did, and all ranks compare when they come together
// in wait and finish. A difference is to end the output of all, so that no file gets its name whose records some ranks
// saw otherwise.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "base/fingerprint.hpp"
#include "roles/circle.hpp"
#include "roles/roles.hpp"
#include "staging/process_states.hpp"

namespace thalweg::health {

struct StepsOfRank;

class StepAgreement {
 public:
  // All that is given outlives this.
  using NameOf = std::function<std::string(int collection)>;
  StepAgreement(const roles::Roles& roles, const staging::ProcessStates& processes, NameOf name_of)
      : roles_(roles), processes_(processes), name_of_(std::move(name_of)) {}

  void begin(double time_s);  // at the start time, if it is not 0
  void end_at(double time_s);

  // The program names the next file of a collection.
  void name_file(int collection, const std::string& name);
  // Errors: AGREEMENT, where a neighbour is seen to do something else.
  void make(staging::ModelStep step);
  // Before a call that nobody leaves until all are there: who is not here, and has made more steps, made too many.
  // Errors: AGREEMENT.
  void meet();

  // Collective over circle; ranks for which it is null take no part. Errors: AGREEMENT, on all of them.
  void check(const roles::Circle& circle) const;

 private:
  std::string text_of(const staging::ModelStep& step, const char* goes, const char* closes) const;
  std::string both_text(int rank, const staging::ModelStep& step, int other_rank, const staging::ModelStep& other,
                        bool is_past) const;
  std::string other_step_of(const StepsOfRank& a, const StepsOfRank& b, bool has_records) const;
  std::string difference_of(const StepsOfRank& a, const StepsOfRank& b) const;
  void for_neighbours(const std::function<void(const staging::ClientState&)>& look);

  const roles::Roles& roles_;
  const staging::ProcessStates& processes_;
  NameOf name_of_;
  double started_at_s_ = 0.0;
  double ends_at_s_ = std::numeric_limits<double>::infinity();
  bool has_records_ = false;  // among its steps
  Fingerprint files_;         // that were named since the last one
  Fingerprint all_;           // of all steps
};

}  // namespace thalweg::health
