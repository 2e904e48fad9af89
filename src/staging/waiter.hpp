// Waiting with a deadline. Nobody waits in Thalweg but through this: on expiry the answer is an error that says who
// waits for whom, for all ranks of the node, and every other waiter of the node is released with the same error.
#pragma once

#include <functional>
#include <string>

#include "staging/control.hpp"

namespace thalweg::staging {

struct WaitFor {
  WaitCause cause = WaitCause::nothing;
  int collection = -1;
  int variable = -1;
  std::int64_t record = -1;
};

class Waiter {
 public:
  // client: number of this process in the node. names(collection, variable): for the report.
  Waiter(Control& control, int client, double deadline_s, std::function<std::string(int, int)> names);

  // Called at least every interval_s while waiting: messages must go on while one waits.
  void set_pump(std::function<void()> pump, double interval_s);

  // Sleeps on word until ready(), which is also tried every longest_interval_s. blame(): what exactly is missing, for
  // the report. Returns the seconds waited. Who waits for what is written, or for ranks that may do so, has patience as
  // long as writers get on: for him the deadline counts from the last thing that one is known to have begun.
  // Errors: DEADLINE, PEER, and any failure reported meanwhile.
  double wait(Word& word, const WaitFor& what, const std::function<bool()>& ready,
              const std::function<std::string()>& blame, double longest_interval_s = 1.0);

  // Errors: PEER if a process of the node has died.
  void check_peers();

 private:
  [[noreturn]] void expire(const WaitFor& what, double waited_s, const std::string& blame);
  std::string who_waits();
  std::string writers_here(double now);
  std::string other_nodes(double now);
  std::string describe(const WaitFor& what) const;

  Control& control_;
  int client_;
  double deadline_s_;
  std::function<std::string(int, int)> names_;
  std::function<void()> pump_;
  double interval_s_ = 1.0;
};

}  // namespace thalweg::staging
