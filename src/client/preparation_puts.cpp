// Preparation: how the boxes of this rank go into blocks of its node and into messages to others.
#include <algorithm>

#include "client/preparation.hpp"

namespace thalweg::client {
namespace {

// Makes `first` count from an array that begins at origin; runs of points do so by themselves.
void count_from(const Index& origin, PieceCopy& copy) {
  for (int d = 0; d < origin.rank(); ++d)
    copy.first[d] = copy.points.runs && d == copy.points.along ? 0 : copy.first[d] - origin[d];
}

}  // namespace

// A box of the variable's cells: one part, or one for each chunk that it touches. Targets count from the block's first
// element.
std::vector<PieceCopy> Preparation::box_into(const store::PlannedBlock& block, const Box& cells) {
  const Index& stride = block.map.stride;
  const auto part = [&](const Box& of, const Index& origin, std::int64_t offset) {
    return PieceCopy{of.start, of.count, stride, offset + offset_of(of.start, stride) - offset_of(origin, stride), {}};
  };
  if (!block.chunks) return {part(cells, block.region.start, 0)};
  std::vector<PieceCopy> parts;
  // Chunks count from the first cell of the file, everything else from that of the whole.
  const Index origin = moved(block.region, block.chunks->region.start, -1).start;
  for (const std::int64_t position : block.chunks->touching(moved(cells, origin, -1))) {
    const Box chunk = moved(block.chunks->box(position), origin, 1);
    parts.push_back(part(*intersect(cells, chunk), chunk.start, position * block.map.run_block_stride[0]));
  }
  return parts;
}

// ---- puts and messages of this rank

std::vector<Box> Preparation::boxes_of(const Collection& collection, int variable, const transport::Plan& plan) const {
  const int decomposition = collection.declaration.model_side(variable).decomposition;
  std::vector<Box> boxes;
  if (decomposition >= 0)
    for (const Box& box : core_.declared.decompositions[static_cast<std::size_t>(decomposition)].boxes)
      boxes.push_back(variable_box(collection, variable, box));
  else if (!plan.local.empty() || !plan.outgoing.empty())
    boxes.push_back(variable_box(collection, variable, {}));
  return boxes;
}

void Preparation::plan_puts(Draft& draft, std::byte*& messages) {
  Collection& collection = *draft.collection;
  collection.puts.resize(draft.plans.size());
  for (std::size_t v = 0; v < draft.plans.size(); ++v) {
    const int variable = static_cast<int>(v);
    const std::string& name = collection.variable(variable).name;
    collection.variable_numbers[name] = variable;
    collection.puts[v].where =
        fmt::format("rank {}, collection '{}', variable '{}'", core_.roles->rank, collection.name, name);
    plan_boxes(draft, variable);
    plan_sends(draft, variable, messages);
    plan_receives(draft, variable, messages);
    ++core_.memory.next_channel_tag;
  }
}

std::uint32_t Preparation::expected_pieces(const Draft& draft, int variable, int domain) const {
  for (const transport::OwnedDomain& owned : draft.plans[static_cast<std::size_t>(variable)]->owned)
    if (owned.domain == domain) return owned.pieces;
  return 0;
}

const store::PlannedBlock& Preparation::block_of(const Draft& draft, int variable, const BlockPlace& place) const {
  const store::CollectionPlan& plan = *draft.shares[static_cast<std::size_t>(place.share)].plan;
  const bool has_record = draft.collection->variable(variable).has_record;
  return (has_record ? plan.record_blocks : plan.fixed_blocks)[static_cast<std::size_t>(place.number)];
}

// The parts of a piece that are affine in the block: one, or one for each chunk. `first` counts from the beginning of
// the whole space.
std::vector<PieceCopy> Preparation::into_block(const Draft& draft, int variable, const transport::PlannedPiece& piece) {
  const store::PlannedBlock& block = block_of(draft, variable, draft.block_of.at({variable, piece.domain}));
  const Box domain = domain_box(draft, variable, piece.domain);
  // A file of a set takes of what every rank has alike no more than its own sections.
  std::vector<PieceCopy> parts =
      piece.points ? points_into(block, domain, points_of(draft, variable, piece))
                   : box_into(block, *intersect(variable_box(*draft.collection, variable, piece.region), domain));
  for (PieceCopy& part : parts) part.target_offset += block.slot_offset;
  return parts;
}

void Preparation::plan_boxes(Draft& draft, int variable) {
  const transport::Plan& plan = *draft.plans[static_cast<std::size_t>(variable)];
  VariablePuts& puts = draft.collection->puts[static_cast<std::size_t>(variable)];
  for (const Box& box : boxes_of(*draft.collection, variable, plan)) puts.boxes.push_back({box, {}, {}});
  puts.next_put.assign(puts.boxes.size(), 0);
  for (const transport::PlannedPiece& piece : plan.local) {
    BoxPuts& box = puts.boxes[static_cast<std::size_t>(piece.box)];
    const BlockPlace& block = draft.block_of.at({variable, piece.domain});
    for (PieceCopy& part : into_block(draft, variable, piece)) {
      count_from(box.box.start, part);
      box.local.push_back({std::move(part), block, expected_pieces(draft, variable, piece.domain), 0});
    }
    box.local.back().pieces = 1;
  }
}

void Preparation::plan_sends(Draft& draft, int variable, std::byte*& messages) {
  const Collection& collection = *draft.collection;
  const Type type = collection.variable(variable).type;
  VariablePuts& puts = draft.collection->puts[static_cast<std::size_t>(variable)];
  std::map<int, std::vector<const transport::PlannedPiece*>> to;
  for (const transport::RemotePiece& remote : draft.plans[static_cast<std::size_t>(variable)]->outgoing)
    to[remote.peer].push_back(&remote.piece);
  for (const auto& [peer, pieces] : to) {
    std::int64_t cells = 0;
    for (const transport::PlannedPiece* piece : pieces) {
      const Box region = variable_box(collection, variable, piece->region);
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
    puts.channels.emplace_back(core_.roles->messages, peer, core_.memory.next_channel_tag, messages, bytes);
    messages += transport::channel_buffers * bytes;
  }
}

void Preparation::plan_receives(Draft& draft, int variable, std::byte*& messages) {
  const Collection& collection = *draft.collection;
  const Type type = collection.variable(variable).type;
  std::map<int, std::vector<const transport::PlannedPiece*>> from;
  for (const transport::RemotePiece& remote : draft.plans[static_cast<std::size_t>(variable)]->incoming)
    from[remote.peer].push_back(&remote.piece);
  for (const auto& [peer, pieces] : from) {
    std::vector<ReceivedPiece> received;
    std::int64_t cells = 0;
    for (const transport::PlannedPiece* piece : pieces) {
      const BlockPlace& block = draft.block_of.at({variable, piece->domain});
      const Box region = variable_box(collection, variable, piece->region);
      const Index stride = contiguous_strides(region.count, static_cast<std::int64_t>(size_of(type)));
      for (PieceCopy& part : into_block(draft, variable, *piece)) {
        count_from(region.start, part);
        const std::int64_t offset = cells * static_cast<std::int64_t>(size_of(type)) + offset_of(part.first, stride);
        const transform::BoxCopy copy{part.count, stride, part.target_stride,
                                      type,       type,   draft.shares.front().plan->big_endian};
        received.push_back({copy, std::move(part.points), offset, block, part.target_offset,
                            expected_pieces(draft, variable, piece->domain), 0});
      }
      received.back().pieces = 1;
      cells += region.cells();
    }
    const std::int64_t bytes = transport::message_bytes(cells, type);
    const int owner = core_.receiver.add({draft.collection, collection.inboxes.size()});
    transport::ReceiveChannel channel(core_.receiver.arrivals(), owner, core_.roles->messages, peer,
                                      core_.memory.next_channel_tag, messages, bytes);
    draft.collection->inboxes.push_back({variable, std::move(channel), std::move(received)});
    messages += transport::channel_buffers * bytes;
  }
}

}  // namespace thalweg::client
