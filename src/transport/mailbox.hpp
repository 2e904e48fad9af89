// Messages that are never waited for: sent and taken whenever the ranks are in a call of Thalweg. Those from one rank
// come in the order in which they were sent.
#pragma once

#include <mpi.h>

#include <list>
#include <optional>
#include <set>

#include "transport/agreement.hpp"

namespace thalweg::transport {

class Mailbox {
 public:
  Mailbox(MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {}
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  void send(int rank, Bytes bytes);
  std::optional<Bytes> receive();
  bool is_idle();                                         // all sent ones have left
  bool is_receiving() const { return !coming_.empty(); }  // some have come, but are not all in
  int late_receiver();    // the rank to which the first one goes that has not; -1: there is none
  void forget(int rank);  // nobody waits for what was and will be sent to it

 private:
  struct Message {
    int rank = 0;  // of the other
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void accept_all();

  MPI_Comm comm_;
  int tag_;
  std::list<Message> sent_;
  std::list<Message> coming_;  // a long one comes in parts, the last of which may never come
  std::set<int> forgotten_;
};

}  // namespace thalweg::transport
