// Whose fault a wait is, where groups of servers may fail without the others.
#pragma once

#include <vector>

#include "health/liveness_check.hpp"
#include "health/messages.hpp"
#include "put/sender.hpp"
#include "roles/roles.hpp"
#include "session/collection.hpp"
#include "staging/process_states.hpp"
#include "staging/waiter.hpp"

namespace thalweg::session {

class GroupBlame {
 public:
  // What this rank knows of; all of it outlives this.
  struct Known {
    const roles::Roles& roles;
    const staging::ProcessStates& processes;
    const std::vector<Collection*>& ready;
    health::LivenessCheck& liveness;
    put::Sender& sender;
    std::vector<transport::Messenger*> to_servers;
    transport::Messenger& commands;
    double deadline_s;
  };
  explicit GroupBlame(const Known& known) : known_(known) {}

  // The group that is to blame for a wait, as things are now; -1: it is no group's fault.
  int of(const staging::WaitFor& what);

 private:
  int of_record(const Collection& collection, const staging::WaitFor& what);
  bool is_writing(int group);
  int of_late_receiver();
  int of_late_listener();
  int blamed(int group);
  bool is_unresponsive_here(int group);
  bool is_silent_elsewhere(int group);
  int group_of_server(int rank) const;

  Known known_;
};

}  // namespace thalweg::session
