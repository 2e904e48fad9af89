// A rank that is alone and sends to itself, with the receiver that takes what comes.
#pragma once

#include <deque>
#include <memory>

#include "receive/receiver.hpp"
#include "staging/node.hpp"
#include "transport/mailbox.hpp"

namespace thalweg::receive {

struct ReceivingRank {
  staging::testing::NodeControl control{1};
  roles::Roles roles{{0}, {roles::Member{}}, 0};
  health::Messages health{std::make_unique<transport::Mailbox>(MPI_COMM_SELF, 1)};
  health::GroupFailures groups{config::Settings{}, roles, control->failures, health, {}};
  block::PieceArrival arrival{control->processes, control->wake_ups};
  profile::Phases phases;
  std::deque<Seconds> receive_s{"receive"};
  Receiver receiver{0, control->wake_ups, groups, arrival, phases, receive_s};
};

}  // namespace thalweg::receive
