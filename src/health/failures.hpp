// A failure on one node ends the output of all: who finds it tells the other nodes, which hear of it instead of
// waiting.
#pragma once

#include "base/error.hpp"
#include "health/messages.hpp"
#include "roles/roles.hpp"
#include "staging/failure_board.hpp"

namespace thalweg::health {

class Failures {
 public:
  // outlived: groups of servers may fail without the others. All that is given outlives this.
  Failures(const roles::Roles& roles, staging::FailureBoard& board, Messages& messages, bool outlived)
      : roles_(roles), board_(board), messages_(messages), outlived_(outlived) {}

  // Whether this rank tells other nodes what concerns its own.
  bool speaks_for_node() const;

  // Tells a failure of this node, once. Never waits.
  void spread();
  // The call that fails may be the last one of this rank, so the message is seen off here, for a tenth of a second.
  void spread_now();
  void hear(const Failure& failure);

  // Errors: what this node, or another one, has reported.
  void throw_if_failed();

  // What goes wrong in work ends the output of all.
  template <typename Work>
  void concern_all(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      board_.report(error.code(), error.what());
      throw_if_failed();
      throw;
    }
  }

 private:
  const roles::Roles& roles_;
  staging::FailureBoard& board_;
  Messages& messages_;
  bool outlived_;
  bool has_spread_ = false;
};

}  // namespace thalweg::health
