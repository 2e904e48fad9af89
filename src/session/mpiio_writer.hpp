// engine library: the model's thread calls the library itself, and together with others, so a record is written within
// advance. A collective call cannot be given up; therefore everything that could keep a rank from it comes before, with
// a deadline: the node's blocks are complete, and all ranks that call the library are here. While they wait, all ranks
// take the messages that blocks of other collections and nodes wait for.
#pragma once

#include <functional>

#include "files/mpiio_files.hpp"
#include "health/failures.hpp"
#include "health/file_waits.hpp"
#include "health/wait_loop.hpp"
#include "profile/counters.hpp"
#include "profile/report.hpp"
#include "roles/roles.hpp"
#include "session/collection.hpp"
#include "staging/failure_board.hpp"
#include "staging/wake_ups.hpp"

namespace thalweg::session {

class MpiioWriter {
 public:
  // All that is given outlives this.
  MpiioWriter(const roles::Roles& roles, staging::WakeUps& wake_ups, staging::FailureBoard& board,
              health::WaitLoop& waits, health::FileWaits& file_waits, health::Failures& failures,
              profile::ClientCounters& counters)
      : roles_(roles),
        wake_ups_(wake_ups),
        board_(board),
        waits_(waits),
        file_waits_(file_waits),
        failures_(failures),
        counters_(counters) {}

  // Collective over all ranks. Errors: DEADLINE, STORAGE, and any failure reported meanwhile.
  void write(Collection& collection, const files::Upcoming& upcoming);
  // Collective over the ranks that call the library, as what follows.
  void close_file(Collection& collection, const files::Upcoming& ending);
  void finish(Collection& collection);
  // A rank that called a library wrote, whether it leads its node or not.
  static void add_to(profile::Report& report, const std::vector<Collection*>& ready);

 private:
  void meet(const Collection& collection, std::int64_t record);
  void at_library(Collection& collection, const std::function<void(files::MpiioFiles&)>& work);

  const roles::Roles& roles_;
  staging::WakeUps& wake_ups_;
  staging::FailureBoard& board_;
  health::WaitLoop& waits_;
  health::FileWaits& file_waits_;
  health::Failures& failures_;
  profile::ClientCounters& counters_;
};

}  // namespace thalweg::session
