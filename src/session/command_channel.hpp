// What the clients do together, on its way to the servers: the lowest client tells it, and each server hears it.
#pragma once

#include <memory>
#include <string>

#include "health/wait_loop.hpp"
#include "profile/counters.hpp"
#include "roles/roles.hpp"
#include "session/commands.hpp"
#include "staging/failure_board.hpp"
#include "staging/wake_ups.hpp"
#include "transport/messenger.hpp"

namespace thalweg::session {

class CommandChannel {
 public:
  // All that is given outlives this.
  CommandChannel(const roles::Roles& roles, staging::WakeUps& wake_ups, const staging::FailureBoard& failures,
                 health::WaitLoop& waits, profile::ClientCounters& counters,
                 std::unique_ptr<transport::Messenger> messenger);

  // By the lowest client, to all servers that are not lost; nothing on other ranks. Waits for servers that are far
  // behind. Errors: DEADLINE, and any failure reported meanwhile.
  void tell(const commands::Command& command);
  // The servers end with this text, unless they were told the end already. Waits no longer than a second.
  void abandon(const std::string& why);

  // No command follows: told on clients, heard on servers.
  bool has_ended() const { return has_ended_; }
  void end() { has_ended_ = true; }

  transport::Messenger& messenger() { return *messenger_; }

 private:
  void wait_for_servers_to_hear();

  const roles::Roles& roles_;
  staging::WakeUps& wake_ups_;
  const staging::FailureBoard& failures_;
  health::WaitLoop& waits_;
  profile::ClientCounters& counters_;
  std::unique_ptr<transport::Messenger> messenger_;
  bool has_ended_ = false;
};

}  // namespace thalweg::session
