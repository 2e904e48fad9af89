// A staging segment: the blocks, queues and message buffers of the collections whose definitions ended together.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "client/session.hpp"
#include "staging/shared_memory.hpp"

namespace thalweg::client {

struct Session::Area {
  staging::SharedMemory memory;
  std::int64_t data_offset = 0;                     // blocks and messages begin here
  std::atomic<std::uint32_t>* allocated = nullptr;  // clients that have made their share of the pages, in shared memory
};

}  // namespace thalweg::client
