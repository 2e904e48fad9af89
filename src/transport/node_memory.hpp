// Memory that the processes of a node share: what they tell each other, and the blocks, queues and message buffers of
// the collections whose definitions ended together.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <optional>
#include <thread>
#include <vector>

#include "roles/roles.hpp"
#include "staging/block_id.hpp"
#include "staging/control.hpp"
#include "staging/shared_memory.hpp"

namespace thalweg::transport {

struct ControlSegment {
  // Collective over all ranks. groups: of servers that may fail without the others.
  ControlSegment(const roles::Roles& roles, int groups);
  staging::SharedMemory memory;
  std::optional<staging::Control> control;
};

struct StagingSegment {
  staging::SharedMemory memory;
  std::int64_t data_offset = 0;                     // blocks and messages begin here
  std::atomic<std::uint32_t>* allocated = nullptr;  // clients that have made their share of the pages, in shared memory
};

// Of a session, and what is handed out of it.
struct StagingSegments {
  std::list<StagingSegment> segments;
  std::vector<std::thread> mapping;  // threads that map the memory
  std::int64_t bytes = 0;            // of all blocks and messages so far
  staging::BlockId next_block{0};
  int next_channel_tag = 0;

  // Starts to map the newest segment: every client of the node makes its share of the pages, and when all are made maps
  // them all, so that no put meets a page that is not mapped.
  void map_newest(int client, int clients);
  void end_mapping();
};

}  // namespace thalweg::transport
