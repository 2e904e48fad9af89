// Messages by MPI.
//
// The library takes short ones at once and keeps them, on one side or the other, until somebody takes them. Where a
// sender may run ahead of a receiver for long there is a window: every so many messages to a rank, one leaves only when
// it is taken (MPI_Issend), and full_receiver() tells of ranks for which the next such one would come before the last
// has left. Who sends nothing to those has less than twice the window under way to each.
#pragma once

#include <mpi.h>

#include <list>
#include <map>
#include <optional>
#include <set>

#include "transport/messenger.hpp"

namespace thalweg::transport {

class Mailbox final : public Messenger {
 public:
  // window: 0: none. With one, a receiver takes in no more at a time than that.
  Mailbox(MPI_Comm comm, int tag, int window = 0) : comm_(comm), tag_(tag), window_(window) {}
  ~Mailbox() override;
  void send(int rank, Bytes bytes) override;
  std::optional<Bytes> receive() override;
  bool is_idle() override;
  bool is_receiving() const override { return !coming_.empty(); }
  std::int64_t surplus() const override { return surplus_; }
  int late_receiver() override;
  int full_receiver() override;
  void forget(int rank) override;

 private:
  struct Message {
    int rank = 0;  // of the other
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
    bool is_checked = false;  // leaves only when it is taken
  };
  // Of a rank that is sent to within a window.
  struct Window {
    int sent = 0;              // since the last checked one
    bool has_checked = false;  // one is under way
    bool is_full(int window) const { return has_checked && sent + 1 >= window; }
  };
  bool is_next_checked(int rank);
  void accept_all();

  MPI_Comm comm_;
  int tag_;
  int window_;
  std::int64_t surplus_ = 0;
  std::map<int, Window> windows_;
  std::list<Message> sent_;
  std::list<Message> coming_;  // a long one comes in parts, the last of which may never come
  std::set<int> forgotten_;
};

}  // namespace thalweg::transport
