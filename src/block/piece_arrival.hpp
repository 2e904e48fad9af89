// What happens when a piece is in its block: it is counted, and the last one hands the block to the writer that it goes
// to. A moment that any of a node's writers may write is assigned to one, by the policy, when somebody has the first
// piece of it (staging/record_assignment.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "block/node_blocks.hpp"
#include "staging/process_states.hpp"
#include "staging/wake_ups.hpp"

namespace thalweg::block {

class PieceArrival {
 public:
  // Of the node; both outlive this.
  PieceArrival(const staging::ProcessStates& processes, staging::WakeUps& wake_ups)
      : processes_(processes), wake_ups_(wake_ups) {}

  // Whether a piece may be copied into its block now, which then has its memory. Assigns the moment to a writer if any
  // can have it.
  bool takes_pieces(const NodeBlocks& blocks, const BlockPlace& block, std::int64_t moment) const;
  // Assigns the moment to a writer, if it has none. False: a moment before it in the same slot is not complete yet.
  bool assign(const NodeBlocks& blocks, std::int64_t moment) const;

  // pieces, of the expected, are in the block; checksum: of their bits.
  void count(const NodeBlocks& blocks, const BlockPlace& block, std::int64_t moment, std::uint32_t pieces,
             std::uint32_t expected, std::uint64_t checksum) const;

 private:
  void hand_over(const NodeBlocks& blocks, const BlockPlace& block, std::int64_t moment) const;
  // Of each of the node's writers.
  std::vector<std::int64_t> bytes_to_write(const NodeBlocks& blocks) const;
  void give_to_write(const WriterPart& part, std::int64_t bytes) const;

  const staging::ProcessStates& processes_;
  staging::WakeUps& wake_ups_;
};

}  // namespace thalweg::block
