#include "planning/transfer_plan.hpp"
#include "transport/channel.hpp"

#include <algorithm>
#include <map>

namespace thalweg::planning {
namespace {

// Makes `first` count from an array that begins at origin; runs of points do so by themselves.
void count_from(const Index& origin, block::PieceCopy& copy) {
  for (int d = 0; d < origin.rank(); ++d)
    copy.first[d] = copy.points.runs && d == copy.points.along ? 0 : copy.first[d] - origin[d];
}

std::int64_t element_bytes(const Draft& draft, int variable) {
  return static_cast<std::int64_t>(size_of(draft.variable(variable).type));
}

std::vector<Box> boxes_of(const Draft& draft, int variable, const transport::Plan& plan) {
  const int decomposition = draft.declaration.model_side(variable).decomposition;
  std::vector<Box> boxes;
  if (decomposition >= 0)
    for (const Box& box : draft.given.decomposition(decomposition).boxes)
      boxes.push_back(draft.in_variable(variable, box));
  else if (!plan.local.empty() || !plan.outgoing.empty())
    boxes.push_back(draft.in_variable(variable, {}));
  return boxes;
}

void add_local(const Draft& draft, int variable, PointCuts& cuts, std::vector<block::BoxPuts>& boxes) {
  for (const transport::PlannedPiece& piece : draft.plans[static_cast<std::size_t>(variable)]->local) {
    block::BoxPuts& box = boxes[static_cast<std::size_t>(piece.box)];
    const block::BlockPlace& place = draft.block_of.at({variable, piece.domain});
    for (block::PieceCopy& part : into_block(draft, variable, piece, cuts)) {
      count_from(box.box.start, part);
      box.local.push_back({std::move(part), place, draft.expected_pieces(variable, piece.domain), 0});
    }
    box.local.back().pieces = 1;
  }
}

block::MessagePlan take_room(const PeerPieces& pieces, MessageRoom& room) {
  const block::MessagePlan message{pieces.peer, room.next_tag, room.memory, pieces.bytes};
  room.memory += transport::channel_buffers * pieces.bytes;
  return message;
}

void add_sends(const Draft& draft, int variable, MessageRoom& room, block::VariableTransfers& transfers) {
  for (const PeerPieces& to : by_peer(draft, variable, draft.plans[static_cast<std::size_t>(variable)]->outgoing)) {
    for (const PeerPieces::Piece& of : to.pieces) {
      const Box region = draft.in_variable(variable, of.piece->region);
      block::BoxPuts& box = transfers.boxes[static_cast<std::size_t>(of.piece->box)];
      block::RemotePut put{
          {region.start, region.count, contiguous_strides(region.count, element_bytes(draft, variable)), of.offset,
           points_of(draft, variable, *of.piece)},
          transfers.sends.size()};
      count_from(box.box.start, put.copy);
      box.remote.push_back(std::move(put));
    }
    transfers.sends.push_back(take_room(to, room));
  }
}

void add_received(const Draft& draft, int variable, const PeerPieces::Piece& of, PointCuts& cuts,
                  std::vector<block::ReceivedPiece>& received) {
  const Type type = draft.variable(variable).type;
  const Box region = draft.in_variable(variable, of.piece->region);
  const Index stride = contiguous_strides(region.count, element_bytes(draft, variable));
  for (block::PieceCopy& part : into_block(draft, variable, *of.piece, cuts)) {
    count_from(region.start, part);
    const transform::BoxCopy copy{part.count, stride, part.target_stride,
                                  type,       type,   draft.writer_parts.front().plan->files.big_endian};
    received.push_back({copy, std::move(part.points), of.offset + offset_of(part.first, stride),
                        draft.block_of.at({variable, of.piece->domain}), part.target_offset,
                        draft.expected_pieces(variable, of.piece->domain), 0});
  }
  received.back().pieces = 1;
}

void add_receives(const Draft& draft, int variable, PointCuts& cuts, MessageRoom& room,
                  std::vector<block::ReceivePlan>& receives) {
  for (const PeerPieces& from : by_peer(draft, variable, draft.plans[static_cast<std::size_t>(variable)]->incoming)) {
    std::vector<block::ReceivedPiece> received;
    for (const PeerPieces::Piece& of : from.pieces) add_received(draft, variable, of, cuts, received);
    receives.push_back({variable, take_room(from, room), std::move(received)});
  }
}

}  // namespace

std::vector<PeerPieces> by_peer(const Draft& draft, int variable, const std::vector<transport::RemotePiece>& pieces) {
  std::map<int, PeerPieces> of_peers;
  std::map<int, std::int64_t> cells;
  for (const transport::RemotePiece& remote : pieces) {
    PeerPieces& of = of_peers[remote.peer];
    of.peer = remote.peer;
    std::int64_t& before = cells[remote.peer];
    of.pieces.push_back({&remote.piece, before * element_bytes(draft, variable)});
    before += draft.in_variable(variable, remote.piece.region).cells();
  }
  std::vector<PeerPieces> all;
  for (auto& [peer, of] : of_peers) {
    of.bytes = transport::message_bytes(cells[peer], draft.variable(variable).type);
    all.push_back(std::move(of));
  }
  return all;
}

block::CollectionTransfers plan_transfers(const Draft& draft, PointCuts& cuts, MessageRoom& room) {
  block::CollectionTransfers all;
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    block::VariableTransfers& transfers = all.variables.emplace_back();
    for (const Box& box : boxes_of(draft, variable, *draft.plans[v])) transfers.boxes.push_back({box, {}, {}});
    add_local(draft, variable, cuts, transfers.boxes);
    add_sends(draft, variable, room, transfers);
    add_receives(draft, variable, cuts, room, all.receives);
    ++room.next_tag;
  }
  return all;
}

}  // namespace thalweg::planning
