// Memory that the processes of a node share: what they tell each other, and the blocks, queues and message buffers of
// the collections whose definitions ended together.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "roles/roles.hpp"
#include "staging/block_id.hpp"
#include "staging/block_ring.hpp"
#include "staging/control.hpp"
#include "staging/shared_memory.hpp"
#include "staging/staging_memory.hpp"

namespace thalweg::transport {

struct ControlSegment {
  // Collective over all ranks. groups: of servers that may fail without the others.
  ControlSegment(const roles::Roles& roles, int groups);
  staging::SharedMemory memory;
  std::optional<staging::Control> control;
};

// Bytes that this process has shared out to bursts, on its node, and that the machine may still show as free.
class PromisedBytes {
 public:
  static std::int64_t all() { return all_; }
  explicit PromisedBytes(std::int64_t bytes) : bytes_(bytes) { all_ += bytes; }
  ~PromisedBytes() { all_ -= bytes_; }
  PromisedBytes(const PromisedBytes&) = delete;
  PromisedBytes& operator=(const PromisedBytes&) = delete;

 private:
  inline static std::atomic<std::int64_t> all_{0};
  std::int64_t bytes_;
};

// What rings use while a burst lasts. Its pages are made when they are first touched.
struct BurstMemory {
  staging::SharedMemory memory;
  std::unique_ptr<PromisedBytes> promised;
  std::vector<staging::BlockRing> rings;
};

// Of a session, and what is handed out of it.
struct StagingSegments {
  // Where the segments are files; empty: they are memory alone. Those of files are neither mapped before they are used
  // nor kept for later sessions, and there are none for bursts: more room is not what their pages cost.
  std::string folder;
  std::list<staging::StagingMemory> segments;
  std::vector<std::thread> mapping;  // threads that map the memory
  std::int64_t bytes = 0;            // of all blocks and messages so far
  std::list<BurstMemory> bursts;
  std::int64_t burst_bytes = 0;  // of all of them, without what was taken away
  staging::BlockId next_block{0};
  int next_channel_tag = 0;

  // The newest segment, which the ranks of the node take together from what is kept of earlier sessions, or make. Its
  // content is what it happens to be. Collective over all ranks. Errors: MEMORY, on all.
  void add(const roles::Roles& roles, std::int64_t bytes, std::int64_t most_bytes);
  // Starts to map the newest segment, if it is not: every client of the node makes its share of the pages, and when all
  // are made maps them all, so that no put meets a page that is not mapped.
  void map_newest(int client, int clients);
  void end_mapping();
  // The newest burst memory; false: there is none to be had. Collective over the node.
  bool add_burst(const roles::Roles& roles, std::int64_t bytes);
  // Takes so many bytes away from bursts of earlier collections, as far as they are not in use. Collective over the
  // node.
  void shrink_bursts(const roles::Roles& roles, std::int64_t bytes);
  // Nobody on this rank uses the segments any longer, nor will anything from another one come into them.
  void give_back(std::int64_t most_bytes);
};

}  // namespace thalweg::transport
