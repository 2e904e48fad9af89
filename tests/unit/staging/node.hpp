// The shared memory of a node, for tests in which threads play its processes.
#pragma once

#include <unistd.h>

#include <functional>
#include <memory>
#include <string>

#include "staging/control.hpp"
#include "staging/shared_memory.hpp"
#include "staging/waiter.hpp"

namespace thalweg::staging::testing {

// No test waits longer than this for something that should happen.
constexpr double patience_s = 60.0;

class NodeControl {
 public:
  explicit NodeControl(int clients, int nodes = 0, int groups = 0)
      : memory_(SharedMemory::create(Control::bytes_for(clients, nodes, groups))),
        control_(std::make_unique<Control>(memory_.data(), clients, nodes, groups)) {
    control_->initialise();
    for (int c = 0; c < clients; ++c) {
      control_->processes.client(c).rank = first_rank + c;
      control_->processes.client(c).pid = getpid();
    }
  }
  Control& operator*() const { return *control_; }
  Control* operator->() const { return control_.get(); }

  static constexpr int first_rank = 40;  // world rank of client 0

 private:
  SharedMemory memory_;
  std::unique_ptr<Control> control_;
};

// names: as of Waiter.
inline Waiter waiter_of(const NodeControl& node, int client, const std::function<std::string(int, int)>& names,
                        double deadline_s = patience_s) {
  return {node->processes, node->failures, client, deadline_s, names};
}

}  // namespace thalweg::staging::testing
