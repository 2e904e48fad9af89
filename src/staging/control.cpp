#include "staging/control.hpp"

#include <new>

namespace thalweg::staging {

std::int64_t Control::bytes_for(int clients, int nodes, int groups) {
  return static_cast<std::int64_t>(sizeof(WakeUps)) + ProcessStates::bytes_for(clients, nodes) +
         FailureBoard::bytes_for(clients, groups);
}

Control::Control(std::byte* memory, int clients, int nodes, int groups)
    : wake_ups(*reinterpret_cast<WakeUps*>(memory)),
      processes(clients, nodes, memory + sizeof(WakeUps)),
      failures(groups, memory + sizeof(WakeUps) + ProcessStates::bytes_for(clients, nodes), processes, wake_ups) {}

void Control::initialise() {
  new (&wake_ups) WakeUps();
  processes.initialise();
}

}  // namespace thalweg::staging
