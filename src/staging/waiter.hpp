// Waiting with a deadline, for what another process of the node does: on expiry the answer is an error that says who
// waits for whom, for all ranks of the node, and every other waiter of the node is released with the same error.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/running_time.hpp"
#include "staging/failure_board.hpp"
#include "staging/futex.hpp"
#include "staging/process_states.hpp"

namespace thalweg::staging {

struct WaitFor {
  WaitCause cause = WaitCause::nothing;
  int collection = -1;
  int variable = -1;
  std::int64_t record = -1;
};

// What is waited for belongs to a group of servers that is lost.
struct GroupLost : Error {
  explicit GroupLost(const Error& loss) : Error(loss) {}
};

// Where groups of servers may be lost without the others.
struct LossRule {
  // That writes it.
  std::function<int(int collection)> group_of;
  // For a wait, as things are now; -1: it is no group's fault. A group has the deadline from when it is to blame on:
  // what it waited for itself may have come late.
  std::function<int(const WaitFor&)> group_to_blame;
  // How many deadlines are waited for what is no group's fault: the ranks that are late may themselves be waiting for
  // one, and go on at their deadline.
  double patience = 3.0;
};

class Waiter {
 public:
  // Who sleeps longer would be taken for one that is stopped.
  static constexpr double longest_sleep_s = ClientState::patience_s / 2;

  // client: number of this process in the node. names(collection, variable): for the report.
  Waiter(const ProcessStates& processes, FailureBoard& failures, int client, double deadline_s,
         std::function<std::string(int, int)> names);

  // Called at least every interval_s while waiting: messages must go on while one waits.
  void set_pump(std::function<void()> pump, double interval_s);

  void set_loss_rule(LossRule rule) { rule_ = std::move(rule); }

  // Sleeps on word until ready(), which is also tried every longest_interval_s. blame(): what exactly is missing, for
  // the report. Returns the seconds waited. Who waits for what is written, or for ranks that may do so, has patience as
  // long as writers get on: for him the deadline counts from the last thing that one is known to have begun. Time that
  // this process did not run is not counted.
  // Errors: DEADLINE, PEER, and any failure reported meanwhile; GroupLost.
  double wait(Word& word, const WaitFor& what, const std::function<bool()>& ready,
              const std::function<std::string()>& blame, double longest_interval_s = longest_sleep_s);

  // Errors: PEER if a process of the node has died.
  void check_peers();

  // While this rank waits in a collective step, which has a deadline of its own, and behind it. Errors: PEER, and any
  // failure reported meanwhile.
  void look_in_meeting();
  void end_meeting();

  // Of all ranks of the node, and of the other nodes.
  std::string who_waits();

 private:
  void throw_if_lost(const WaitFor& what) const;
  // The group that was to blame when this was looked for.
  struct Suspect {
    std::optional<int> group;  // none: nobody has looked yet; -1: it was no group's fault
    RunningTime blamed;
    double looked_s;
  };
  void look_for(Suspect& suspect, const WaitFor& what, double now, double slept_s) const;
  bool is_expired(const Suspect& suspect, double waited_s) const;
  void check_peers_sometimes(double now);
  [[noreturn]] void expire(const WaitFor& what, int group, double waited_s, const std::string& blame);
  std::string writers_here(double now);
  std::string other_nodes(double now);
  std::string ranks_of(const NodeState& node, double now) const;
  std::string describe(const WaitFor& what) const;

  const ProcessStates& processes_;
  FailureBoard& failures_;
  int client_;
  double deadline_s_;
  std::function<std::string(int, int)> names_;
  std::function<void()> pump_;
  double interval_s_ = longest_sleep_s;
  double next_check_s_ = 0.0;  // of peers
  LossRule rule_;
};

}  // namespace thalweg::staging
