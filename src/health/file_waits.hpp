// Waiting for the files of a collection on the node of this rank: for what its writers say in shared memory
// (staging/file_progress.hpp). Nothing here is collective; what all ranks wait for together is this, and a meeting
// behind it.
#pragma once

#include <cstdint>

#include "block/node_blocks.hpp"
#include "catalog/collection_identity.hpp"
#include "health/wait_loop.hpp"
#include "staging/failure_board.hpp"

namespace thalweg::health {

// Of a collection.
struct NodeFiles {
  const catalog::CollectionIdentity& identity;
  const block::NodeBlocks& blocks;
};

class FileWaits {
 public:
  // Both outlive this.
  FileWaits(WaitLoop& waits, const staging::FailureBoard& board) : waits_(waits), board_(board) {}

  // So many leading moments are written by the node's writers and, where one of them owns the files, committed. Errors:
  // as WaitLoop::until, also of what has failed elsewhere.
  void until_written(const NodeFiles& of, std::int64_t moments);
  // So many leading files are finished by the node's writers that have a part in them and, where one owns them, have
  // their names. moments: that they hold. Errors: as of until_written.
  void until_finished(const NodeFiles& of, std::int64_t files, std::int64_t moments);

  // As until_written, for who waits for this collection alone: what is written is written, whatever has failed
  // elsewhere, and what one of its files has met is the error. Errors: that; else as of until_written.
  void until_written_alone(const NodeFiles& of, std::int64_t moments);

 private:
  [[noreturn]] void throw_error(const NodeFiles& of, const staging::FileError& error) const;

  WaitLoop& waits_;
  const staging::FailureBoard& board_;
};

}  // namespace thalweg::health
