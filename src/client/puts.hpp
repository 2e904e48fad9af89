// The model's side of a plan: how each of its boxes goes into blocks of its node, or into messages to other nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "client/index_puts.hpp"
#include "staging/block_ring.hpp"
#include "transform/copy.hpp"
#include "transport/channel.hpp"

namespace thalweg::client {

// An array as the model passes it; dimensions in memory order.
struct Field {
  const std::byte* data = nullptr;
  Type type = Type::float64;
  Index extent;
  Index stride;  // bytes
};

// A part of a box, or of the points of an index list, and where it goes; dimensions in file order.
struct PieceCopy {
  Index first;  // from the box's first cell
  Index count;
  Index target_stride;
  std::int64_t target_offset = 0;  // from the slot's or the message's first byte
  PiecePoints points;
};

// A block of the node.
struct BlockPlace {
  int share = 0;            // of the writer that writes it, see Collection::shares
  std::int64_t number = 0;  // among those of its ring
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
  std::size_t channel = 0;  // among the variable's
};

struct BoxPuts {
  Box box;  // in the variable's dimensions
  std::vector<LocalPut> local;
  std::vector<RemotePut> remote;
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

struct Inbox {
  int variable = 0;
  transport::ReceiveChannel channel;
  std::vector<ReceivedPiece> pieces;
  bool is_full = false;  // something is in that is not taken yet
};

struct VariablePuts {
  std::string where;  // "rank 3, collection 'history', variable 'temp'": for messages, made once and not at each put
  std::vector<BoxPuts> boxes;
  std::vector<transport::SendChannel> channels;
  std::vector<std::int64_t> next_put;  // a box: the record that it may put next
  std::size_t boxes_in_message = 0;    // put so far in the current record
  std::int64_t missing = 0;            // boxes that were filled because the model did not put them
  std::int64_t out_of_range = 0;       // values that became infinite, because the file's type has none so large
};

// Byte strides of the field in file order, after checking that it can be the box: each extent with the halo or without.
// offset: bytes from the field's first element to the box's first cell. Errors: SHAPE; the text begins with `where`.
struct FieldView {
  Index stride;
  std::int64_t offset = 0;
};
struct FieldRules {
  const std::vector<int>* memory_place = nullptr;
  const std::vector<int>* decomposed = nullptr;
  Index halo_low;  // of the decomposition's dimensions
  Index halo_high;
};
FieldView view_field(const Field& field, const Box& box, const FieldRules& rules, const std::string& where);

}  // namespace thalweg::client
