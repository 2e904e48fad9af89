// What the model's side needs of the writer of its process, beside the order book. Implemented where both sides meet
// (api), because the two sides do not know each other.
#pragma once

#include <cstdint>

#include "profile/counters.hpp"
#include "staging/ready_queue.hpp"

namespace thalweg::client {

class WriterPort {
 public:
  virtual ~WriterPort() = default;
  virtual void listen_to(staging::ReadyQueue queue, std::uint32_t first_collection) = 0;  // not while it runs
  virtual void start() = 0;
  virtual bool stop(double patience_s) = 0;  // false: it hangs, and must be left alone from now on
  virtual bool step() = 0;                   // writers: sync
  virtual profile::WriterCounters counters() = 0;
};

}  // namespace thalweg::client
