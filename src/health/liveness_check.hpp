// Who is here, in place of a barrier of all ranks where groups of servers may fail without the others: servers say to
// the lowest client that they are here, and it comes to the barrier of the clients when all servers have that are not
// lost. Then everybody hears which ones are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "health/group_failures.hpp"
#include "health/wait_loop.hpp"
#include "roles/roles.hpp"
#include "staging/failure_board.hpp"
#include "transport/messenger.hpp"

namespace thalweg::health {

class LivenessCheck {
 public:
  // All that is given outlives this.
  LivenessCheck(const roles::Roles& roles, staging::FailureBoard& board, GroupFailures& groups, WaitLoop& waits,
                std::unique_ptr<transport::Messenger> messenger);

  // Collective over all ranks that are not lost. Errors: DEADLINE.
  void meet();
  // The first group that has servers which are not here yet and is not lost, as the lowest client knows; -1: there is
  // none, or this is another rank.
  int missing_group();

 private:
  void answer();
  void hear();
  void agree_on_losses();

  const roles::Roles& roles_;
  staging::FailureBoard& board_;
  GroupFailures& groups_;
  WaitLoop& waits_;
  std::unique_ptr<transport::Messenger> messenger_;
  std::int64_t number_ = 0;  // of checks so far
  std::int64_t answered_ = 0;
  std::map<int, std::int64_t> of_servers_;  // the last check that each server came to
};

}  // namespace thalweg::health
