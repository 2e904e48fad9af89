#include "client/put_plan.hpp"

#include <algorithm>

namespace thalweg::client {
namespace {

// Makes `first` count from an array that begins at origin; runs of points do so by themselves.
void count_from(const Index& origin, PieceCopy& copy) {
  for (int d = 0; d < origin.rank(); ++d)
    copy.first[d] = copy.points.runs && d == copy.points.along ? 0 : copy.first[d] - origin[d];
}

std::vector<Box> boxes_of(const Draft& draft, int variable, const transport::Plan& plan) {
  const int decomposition = draft.collection.declaration.model_side(variable).decomposition;
  std::vector<Box> boxes;
  if (decomposition >= 0)
    for (const Box& box : draft.given.decomposition(decomposition).boxes)
      boxes.push_back(draft.in_variable(variable, box));
  else if (!plan.local.empty() || !plan.outgoing.empty())
    boxes.push_back(draft.in_variable(variable, {}));
  return boxes;
}

}  // namespace

void PutPlanner::plan(Draft& draft) {
  Collection& collection = draft.collection;
  collection.puts.resize(draft.plans.size());
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const std::string& name = collection.variable(variable).name;
    collection.variable_numbers[name] = variable;
    collection.puts[v].where =
        fmt::format("rank {}, collection '{}', variable '{}'", given_.roles.rank, collection.name, name);
    plan_boxes(draft, variable);
    plan_sends(draft, variable);
    plan_receives(draft, variable);
    ++next_tag_;
  }
}

void PutPlanner::plan_boxes(Draft& draft, int variable) {
  const transport::Plan& plan = *draft.plans[static_cast<std::size_t>(variable)];
  VariablePuts& puts = draft.collection.puts[static_cast<std::size_t>(variable)];
  for (const Box& box : boxes_of(draft, variable, plan)) puts.boxes.push_back({box, {}, {}});
  puts.next_put.assign(puts.boxes.size(), 0);
  for (const transport::PlannedPiece& piece : plan.local) {
    BoxPuts& box = puts.boxes[static_cast<std::size_t>(piece.box)];
    const BlockPlace& block = draft.block_of.at({variable, piece.domain});
    for (PieceCopy& part : into_block(draft, variable, piece, cuts_)) {
      count_from(box.box.start, part);
      box.local.push_back({std::move(part), block, draft.expected_pieces(variable, piece.domain), 0});
    }
    box.local.back().pieces = 1;
  }
}

void PutPlanner::plan_sends(Draft& draft, int variable) {
  const Collection& collection = draft.collection;
  const Type type = collection.variable(variable).type;
  VariablePuts& puts = draft.collection.puts[static_cast<std::size_t>(variable)];
  std::map<int, std::vector<const transport::PlannedPiece*>> to;
  for (const transport::RemotePiece& remote : draft.plans[static_cast<std::size_t>(variable)]->outgoing)
    to[remote.peer].push_back(&remote.piece);
  for (const auto& [peer, pieces] : to) {
    std::int64_t cells = 0;
    for (const transport::PlannedPiece* piece : pieces) {
      const Box region = draft.in_variable(variable, piece->region);
      BoxPuts& box = puts.boxes[static_cast<std::size_t>(piece->box)];
      RemotePut put{
          {region.start, region.count, contiguous_strides(region.count, static_cast<std::int64_t>(size_of(type))),
           cells * static_cast<std::int64_t>(size_of(type)), points_of(draft, variable, *piece)},
          puts.channels.size()};
      count_from(box.box.start, put.copy);
      box.remote.push_back(std::move(put));
      cells += region.cells();
    }
    const std::int64_t bytes = transport::message_bytes(cells, type);
    puts.channels.emplace_back(given_.roles.messages, peer, next_tag_, messages_, bytes);
    messages_ += transport::channel_buffers * bytes;
  }
}

void PutPlanner::plan_receives(Draft& draft, int variable) {
  const Collection& collection = draft.collection;
  const Type type = collection.variable(variable).type;
  std::map<int, std::vector<const transport::PlannedPiece*>> from;
  for (const transport::RemotePiece& remote : draft.plans[static_cast<std::size_t>(variable)]->incoming)
    from[remote.peer].push_back(&remote.piece);
  for (const auto& [peer, pieces] : from) {
    std::vector<ReceivedPiece> received;
    std::int64_t cells = 0;
    for (const transport::PlannedPiece* piece : pieces) {
      const BlockPlace& block = draft.block_of.at({variable, piece->domain});
      const Box region = draft.in_variable(variable, piece->region);
      const Index stride = contiguous_strides(region.count, static_cast<std::int64_t>(size_of(type)));
      for (PieceCopy& part : into_block(draft, variable, *piece, cuts_)) {
        count_from(region.start, part);
        const std::int64_t offset = cells * static_cast<std::int64_t>(size_of(type)) + offset_of(part.first, stride);
        const transform::BoxCopy copy{part.count, stride, part.target_stride,
                                      type,       type,   draft.shares.front().plan->big_endian};
        received.push_back({copy, std::move(part.points), offset, block, part.target_offset,
                            draft.expected_pieces(variable, piece->domain), 0});
      }
      received.back().pieces = 1;
      cells += region.cells();
    }
    const std::int64_t bytes = transport::message_bytes(cells, type);
    const int owner = receiver_.add({&draft.collection, collection.inboxes.size()});
    transport::ReceiveChannel channel(receiver_.arrivals(), owner, given_.roles.messages, peer, next_tag_, messages_,
                                      bytes);
    draft.collection.inboxes.push_back({variable, std::move(channel), std::move(received)});
    messages_ += transport::channel_buffers * bytes;
  }
}

}  // namespace thalweg::client
