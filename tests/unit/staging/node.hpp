// The shared memory of a node, for tests in which threads play its processes.
#pragma once

#include <unistd.h>

#include <new>

#include "staging/control.hpp"
#include "staging/shared_memory.hpp"

namespace thalweg::staging::testing {

// No test waits longer than this for something that should happen.
constexpr double patience_s = 60.0;

class NodeControl {
 public:
  explicit NodeControl(int clients, int nodes = 0, int groups = 0)
      : memory_(SharedMemory::create(Control::bytes_for(clients, nodes, groups))) {
    control_ = new (memory_.data()) Control();
    control_->initialise(clients, nodes, groups);
    for (int c = 0; c < clients; ++c) {
      control_->client(c).rank = first_rank + c;
      control_->client(c).pid = getpid();
    }
  }
  Control& operator*() const { return *control_; }
  Control* operator->() const { return control_; }

  static constexpr int first_rank = 40;  // world rank of client 0

 private:
  SharedMemory memory_;
  Control* control_;
};

}  // namespace thalweg::staging::testing
