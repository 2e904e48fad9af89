// The staging memory that a process keeps between its sessions. To make and map its pages takes longer than to fill
// them with a record, so a session that has ended well gives its memory back, and a later one of the same processes
// takes it again as it is. What is in it is not cleared.
//
// All processes of a node take the same memory: its leader chooses, and the others find what it has chosen by the
// ticket, or map it if they have not kept it. They need not keep the same.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>

#include "staging/staging_memory.hpp"

namespace thalweg::staging {

class StagingPool {
 public:
  static StagingPool& of_process();

  // In all of these, what is kept goes, oldest first, as long as it and the memory in question are more than
  // most_bytes.

  // By the leader, for so many processes. Errors: MEMORY.
  StagingMemory take(std::int64_t bytes, int users, std::int64_t most_bytes);
  // By the others: what the leader has taken. Errors: MEMORY.
  StagingMemory take(const StagingTicket& ticket, std::int64_t most_bytes);
  // This process does not use it any longer, and keeps it.
  void give_back(StagingMemory memory, std::int64_t most_bytes);

  std::int64_t kept_bytes() const;

 private:
  using Kept = std::list<StagingMemory>;

  void forget_what_others_use();
  Kept::iterator choose(std::int64_t bytes, std::int64_t most_bytes);
  void shrink_to(std::int64_t bytes);
  std::int64_t sum() const;

  mutable std::mutex mutex_;
  Kept kept_;  // oldest first
};

}  // namespace thalweg::staging
