// How the boxes of a rank go into blocks of its node and into messages to others, and pieces of messages into blocks,
// as planning has settled it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "block/piece_copy.hpp"
#include "staging/block_id.hpp"
#include "transform/copy.hpp"

namespace thalweg::block {

// A part of a box, or of the points of an index list, and where it goes; dimensions in file order.
struct PieceCopy {
  Index first;  // from the box's first cell
  Index count;
  Index target_stride;
  std::int64_t target_offset = 0;  // from the slot's or the message's first byte
  PiecePoints points;
};

// A block of the node, at any moment.
struct BlockPlace {
  int part = 0;             // of the writer that writes it, see NodeBlocks::parts
  std::int64_t number = 0;  // among those of its ring

  staging::BlockAddress at(std::int64_t moment) const { return {moment, number}; }
};

// A piece, or a part of one that lies in a chunk of its own; the last part of a piece counts for it.
struct LocalPut {
  PieceCopy copy;
  BlockPlace block;
  std::uint32_t expected = 0;
  std::uint32_t pieces = 1;
};

struct RemotePut {
  PieceCopy copy;
  std::size_t message = 0;  // among the variable's
};

struct BoxPuts {
  Box box;  // in the variable's dimensions
  std::vector<LocalPut> local;
  std::vector<RemotePut> remote;
};

// All pieces of a variable between two ranks travel in one message a moment.
struct MessagePlan {
  int peer = 0;
  int tag = 0;
  std::byte* memory = nullptr;  // of transport::channel_buffers messages
  std::int64_t bytes = 0;       // of one, a multiple of 8
};

// A piece that comes by message, or a part of one.
struct ReceivedPiece {
  transform::BoxCopy copy;
  PiecePoints points;
  std::int64_t message_offset = 0;
  BlockPlace block;
  std::int64_t target_offset = 0;
  std::uint32_t expected = 0;
  std::uint32_t pieces = 1;
};

// Of a variable on a rank.
struct VariableTransfers {
  std::vector<BoxPuts> boxes;
  std::vector<MessagePlan> sends;
};
struct ReceivePlan {
  int variable = 0;
  MessagePlan message;
  std::vector<ReceivedPiece> pieces;
};
struct CollectionTransfers {
  std::vector<VariableTransfers> variables;
  std::vector<ReceivePlan> receives;
};

}  // namespace thalweg::block
