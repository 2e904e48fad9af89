// How the boxes of this rank go into blocks of its node and into messages to others, and what comes from others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "block/transfers.hpp"
#include "planning/draft.hpp"
#include "planning/piece_parts.hpp"

namespace thalweg::planning {

// All pieces of a variable between this rank and another, in the order in which both sides list them.
struct PeerPieces {
  int peer = 0;
  struct Piece {
    const transport::PlannedPiece* piece = nullptr;
    std::int64_t offset = 0;  // of its first value in the message
  };
  std::vector<Piece> pieces;
  std::int64_t bytes = 0;  // of the message
};
std::vector<PeerPieces> by_peer(const Draft& draft, int variable, const std::vector<transport::RemotePiece>& pieces);

// Where messages lie and with which tags they go, as far as they are handed out.
struct MessageRoom {
  std::byte* memory = nullptr;
  int next_tag = 0;
};

// Once the blocks have their places in their slots. Takes room for messages, in an order that is the same on all ranks.
block::CollectionTransfers plan_transfers(const Draft& draft, PointCuts& cuts, MessageRoom& room);

}  // namespace thalweg::planning
