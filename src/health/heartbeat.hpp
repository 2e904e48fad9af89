// What nodes tell each other while somebody waits long, for his report and for his patience. A leader whose node has
// such a rank asks all others; those that are in a call, as servers always are, answer.
#pragma once

#include "health/messages.hpp"
#include "roles/roles.hpp"
#include "staging/process_states.hpp"

namespace thalweg::health {

class Heartbeat {
 public:
  // All that is given outlives this.
  Heartbeat(const roles::Roles& roles, staging::ProcessStates& processes, Messages& messages, double deadline_s)
      : roles_(roles), processes_(processes), messages_(messages), deadline_s_(deadline_s) {}

  // In every call, by the leader of the node; others do nothing here.
  void beat();
  // Before a call to the storage: who makes a file hears nobody ask meanwhile, so it tells without.
  void note_storage_call();
  void hear(const NodeReport& report);
  // From here on nothing is told.
  void end() { has_ended_ = true; }

 private:
  bool tells() const { return !has_ended_ && roles_.leads_node() && roles_.node_count > 1; }
  bool somebody_waits_long(double now) const;
  void send(bool asks, double now);

  const roles::Roles& roles_;
  staging::ProcessStates& processes_;
  Messages& messages_;
  double deadline_s_;
  double told_s_ = 0.0;
  double told_call_s_ = 0.0;  // when the call to the storage began that was told last
  double asked_s_ = 0.0;      // when another node last asked
  bool has_ended_ = false;
};

}  // namespace thalweg::health
