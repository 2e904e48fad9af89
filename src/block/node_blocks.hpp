// The blocks that the writers of a node have of a collection. All processes of the node know of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "block/commands.hpp"
#include "block/moment.hpp"
#include "block/transfers.hpp"
#include "config/writer_policy.hpp"
#include "staging/ready_queue.hpp"
#include "staging/settled_files.hpp"

namespace thalweg::block {

// What one writer of the node writes of the collection.
struct WriterPart {
  int writer = -1;            // rank; -1: the node writes nothing
  int place = -1;             // of the writer among the processes of the node
  bool participates = false;  // it writes some of the files, or owns them
  std::shared_ptr<const block::CollectionPlan> plan;
  staging::ReadyQueue ready_queue;
};

struct NodeBlocks {
  std::vector<WriterPart> parts;                     // of this node's writers; at least one
  std::shared_ptr<const block::CollectionPlan> own;  // of this rank; where it writes none, of the first writer
  bool by_mpiio = false;                             // blocks go to no queue: ranks write them together
  config::WriterPolicy policy;                       // where records do not stay with a writer

  const block::CollectionPlan& plan_of(const BlockPlace& block) const {
    return *parts[static_cast<std::size_t>(block.part)].plan;
  }
  // Any writer of the node may have it.
  bool is_assigned(const BlockPlace& block, std::int64_t moment) const {
    return moment != staging::BlockAddress::fixed && plan_of(block).is_assigned(block.number);
  }
  // The part that a block goes to; who asks has a piece of it, so that it is assigned.
  const WriterPart& part_of(const BlockPlace& block, std::int64_t moment) const;

  bool takes_pieces(const BlockPlace& block, std::int64_t moment) const {
    return plan_of(block).rings.takes_pieces(block.at(moment));
  }
  // From here the offsets of pieces count: the slot of the block, shifted so that memory and file agree.
  std::byte* origin(const BlockPlace& block, const Moment& moment) const;

  // Leading moments that all of the node's writers have written and, on the files' owner, committed; fixed blocks are
  // not waited for.
  std::int64_t written_moments() const;
  // Some writer of the node has a part in the files.
  bool are_written_here() const;
  // Several records are committed at once.
  bool are_gathered() const;
  // All of the node's writers that have a part in the files have finished so many leading ones and, on the files'
  // owner, given them their names.
  bool has_finished(std::int64_t files) const;
  // That a file has met here, on one of the node's writers or on a rank that has files made.
  std::optional<staging::FileError> error() const;
  // So many leading moments are to be written; whoever asks rings the bell then.
  void ask_for(std::int64_t moments) const;
  // A process of the node has settled so many leading files for all of its writers.
  void settle(std::int64_t process, staging::SettledFiles::By by, std::int64_t files) const;
  // Those before this one, by who may have the block of one of them.
  void ask_for_room(const BlockPlace& block, std::int64_t moment) const;
};

}  // namespace thalweg::block
