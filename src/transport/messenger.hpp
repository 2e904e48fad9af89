// Messages that are never waited for: sent and taken whenever the ranks are in a call of Thalweg. Those from one rank
// come in the order in which they were sent. By MPI it is a Mailbox; in one process tests deliver them in any order.
#pragma once

#include <cstdint>
#include <optional>

#include "transport/packing.hpp"

namespace thalweg::transport {

class Messenger {
 public:
  Messenger() = default;
  virtual ~Messenger() = default;
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  virtual void send(int rank, Bytes bytes) = 0;
  virtual std::optional<Bytes> receive() = 0;
  virtual bool is_idle() = 0;                // all sent ones have left
  virtual bool is_receiving() const = 0;     // some have come, but are not all in
  virtual std::int64_t surplus() const = 0;  // how many more were sent than received
  virtual int late_receiver() = 0;           // the rank to which the first one goes that has not; -1: there is none
  virtual int full_receiver() = 0;           // the lowest rank to which nothing should be sent now; -1: there is none
  virtual void forget(int rank) = 0;         // nobody waits for what was and will be sent to it
};

}  // namespace thalweg::transport
