// Ranks that meet in collective steps, and what becomes of those who wait in one. No step of ours blocks within the MPI
// library: it is begun, and looked at until it is through or the deadline is over (roles/meeting.hpp).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.hpp"

namespace thalweg::roles {

// What all circles of a session have in common.
struct Patience {
  double deadline_s = 300.0;
  // What this rank waits in, for the report, which others get as well.
  std::function<std::string()> call = [] { return "a collective call"; };
  MPI_Comm all_ranks = MPI_COMM_NULL;  // of the session, whose numbers reports use; null: the circle's own
  // Something has failed, and others may not know it: what they still send to a communicator that is free here would be
  // taken for messages of the next one of its number, so none is freed any more.
  bool is_broken = false;
  // Of a session that has shared memory. looks: from when somebody really waits, at every look; throws what others have
  // met. ends: somebody waits no more. who_waits: for the report. expired: nobody is to wait any longer.
  std::function<void()> looks;
  std::function<void()> ends;
  std::function<std::string()> who_waits;
  std::function<void(const Error&)> expired;
};

class Circle {
 public:
  // By itself a communicator has the patience that is the default of the configuration.
  Circle(MPI_Comm comm = MPI_COMM_NULL);  // NOLINT(google-explicit-constructor): every communicator is one
  Circle(MPI_Comm comm, std::shared_ptr<Patience> patience);

  operator MPI_Comm() const { return comm_; }  // NOLINT(google-explicit-constructor)
  MPI_Comm comm() const { return comm_; }
  bool is_none() const { return comm_ == MPI_COMM_NULL; }  // there are no ranks
  int rank() const;
  int size() const;
  const std::shared_ptr<Patience>& patience() const { return patience_; }
  // The ranks of this communicator, which is made of them, with the same patience.
  Circle of(MPI_Comm comm) const { return {comm, patience_}; }

  // Returns when done() says so, which is asked again and again. Errors: DEADLINE, the same on all ranks that wait,
  // with the names of those who did not come; and what looks() throws.
  void wait_until(const std::function<bool()>& done) const;

  // For a rank that may have come too late: then it gets the error of those who waited for it.
  void require_unexpired() const;

  // Null afterwards; freed unless it is left, or something has failed.
  void free();

 private:
  MPI_Comm comm_;
  std::shared_ptr<Patience> patience_;
  std::shared_ptr<std::int64_t> steps_ = std::make_shared<std::int64_t>(0);
};

}  // namespace thalweg::roles
