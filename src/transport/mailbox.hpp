// Messages that are never waited for: sent and taken whenever the ranks are in a call of Thalweg. Those from one rank
// come in the order in which they were sent.
#pragma once

#include <mpi.h>

#include <list>
#include <optional>

#include "transport/agreement.hpp"

namespace thalweg::transport {

class Mailbox {
 public:
  Mailbox(MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {}
  void send(int rank, Bytes bytes);
  std::optional<Bytes> receive();
  bool is_idle();  // all sent ones have left

 private:
  struct Sent {
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  MPI_Comm comm_;
  int tag_;
  std::list<Sent> sent_;
};

}  // namespace thalweg::transport
