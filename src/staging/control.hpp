// What the processes of a node tell each other beside the blocks, and where it lies in the memory that they share. Who
// uses it is given the parts that he needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "staging/failure_board.hpp"
#include "staging/process_states.hpp"
#include "staging/wake_ups.hpp"

namespace thalweg::staging {

struct Control {
  static std::int64_t bytes_for(int clients, int nodes = 0, int groups = 0);

  // memory: bytes_for(clients, nodes, groups), zeroed and aligned to 64 bytes; it outlives this. groups: of servers
  // that may fail without the others.
  Control(std::byte* memory, int clients, int nodes = 0, int groups = 0);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  // By one process, before any use.
  void initialise();

  WakeUps& wake_ups;
  ProcessStates processes;
  FailureBoard failures;
};

}  // namespace thalweg::staging
