// The staging segment for collections whose definitions end together. In it follow each other: states of blocks; ready
// queues; from the next page on, blocks; messages of each rank. States and queues begin as zeros. Blocks and messages
// hold what an earlier session has left in them: whoever writes one to a file has written each of its bytes before.
#pragma once

#include <list>
#include <map>
#include <vector>

#include "planning/draft.hpp"
#include "staging/budget.hpp"
#include "transport/node_memory.hpp"

namespace thalweg::planning {

// First share_budget, then make; both are collective over all ranks.
class SegmentBuilder {
 public:
  // Both outlive this.
  SegmentBuilder(const Given& given, transport::StagingSegments& memory) : given_(given), memory_(memory) {}

  // How many records each ring holds, as a rule and while a burst lasts. kept_bytes: left to later collections where
  // these have one record each without. Errors: MEMORY, also for messages that are too
  // long.
  void share_budget(std::list<Draft>& drafts, std::int64_t kept_bytes = 0);

  // Makes the newest segment and places the rings of all shares in it. Errors: MEMORY.
  void make(std::list<Draft>& drafts);

  // ---- once the segment is made
  // Of each rank that writes on this node.
  std::map<int, staging::ReadyQueue> queues() const;
  // For the messages of this rank.
  std::byte* messages() const { return segment().data() + messages_offset_; }

 private:
  void share_for_bursts(std::list<Draft>& drafts, const std::vector<staging::Demand>& demands,
                        const std::vector<std::int64_t>& depths, std::int64_t room);
  void measure(Draft& draft);
  void measure_part(const Draft& draft, PartDraft& part);
  void add_messages(const std::list<Draft>& drafts);
  void place(Draft& draft) const;
  void place_part(const Draft& draft, PartDraft& part) const;
  void place_progress(const Draft& draft, PartDraft& part) const;
  std::int64_t first_due() const;
  std::int64_t queue_bytes() const;
  const staging::StagingMemory& segment() const { return memory_.segments.back(); }

  const Given& given_;
  transport::StagingSegments& memory_;
  std::int64_t state_bytes_ = 0;
  std::int64_t data_bytes_ = 0;
  std::int64_t burst_bytes_ = 0;
  std::int64_t blocks_ = 0;
  std::int64_t data_offset_ = 0;
  std::int64_t all_messages_ = 0;     // bytes of the node's
  std::int64_t messages_offset_ = 0;  // of this rank
};

}  // namespace thalweg::planning
