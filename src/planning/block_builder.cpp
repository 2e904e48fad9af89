#include "planning/block_builder.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "planning/transfer_plan.hpp"
#include "staging/budget.hpp"
#include "transform/chain.hpp"
#include "transport/channel.hpp"

namespace thalweg::planning {
namespace {

// The places of fixed variables are told for all their chunks, whoever writes them; of a set, for all of its files that
// the same rank writes.
void number_fixed_places(Draft& draft) {
  const auto& variables = draft.definition.variables;
  const auto number = [&](int domain, std::int64_t& place) {
    for (int v = 0; v < std::ssize(variables); ++v) {
      draft.first_fixed_place[{v, domain}] = place;
      place += block::fixed_places(variables[static_cast<std::size_t>(v)], draft.file_shape(v, domain));
    }
  };
  std::map<int, std::int64_t> next;  // of each writer
  if (draft.set.empty()) number(0, next[-1]);
  for (const files::FilePart& part : draft.set)
    if (part.node == draft.given.roles.node) number(part.number, next[part.writer]);
}

// Where variables begin follows from arithmetic.
void place_array(const Draft& draft, int domain, block::PlannedBlock& block) {
  if (draft.chunked || draft.by_mpiio) return;
  const std::vector<std::int64_t>& places = draft.places.at(draft.part_of(domain) == nullptr ? 0 : domain);
  block.place.begin = places[static_cast<std::size_t>(block.variable)];
  block.place.record_bytes = places.back();
}

block::BlockMap map_of(const Draft& draft, int domain, const block::PlannedBlock& block) {
  const auto element_bytes = static_cast<std::int64_t>(size_of(block.type));
  if (block.chunks) {
    const std::int64_t chunk_bytes = block.chunks->chunk.product() * element_bytes;
    const config::ChunkRules& rules = draft.definition.format->traits.chunks;
    const std::int64_t spare_bytes = transform::spare_bytes(block.encoding, block.type, rules, chunk_bytes);
    return block::map_chunks(*block.chunks, element_bytes, spare_bytes);
  }
  // Where no file of Thalweg's says how rows lie in it, a block is an array by itself.
  if (draft.callback || draft.by_mpiio)
    return block::map_array(block.region.count, whole(block.region.count), element_bytes);
  const Index origin = draft.file_origin(block.variable, domain);
  return block::map_array(draft.file_shape(block.variable, domain), moved(block.region, origin, -1), element_bytes);
}

void add_holes(const Draft& draft, const transport::OwnedDomain& owned, PointCuts& cuts, block::PlannedBlock& block) {
  for (const Box& hole : owned.holes)
    for (const block::PieceCopy& part : box_into(block, draft.in_variable(block.variable, hole)))
      block.holes.push_back({part.count, part.target_offset});
  for (const block::HoleFill& hole : block.holes) block.hole_cells += hole.count.product();
  if (owned.hole_points) {
    const block::PiecePoints points{owned.hole_points, place_of_points(draft, block.variable)};
    for (const block::PieceCopy& part : points_into(block, block.region, points, cuts))
      block.hole_points.push_back({part.points.runs, part.count, part.points.along, part.target_offset});
  }
  for (const block::HolePoints& points : block.hole_points) block.hole_cells += points.count.product();
  if (block.chunks) block::add_padding(block);
}

std::int64_t first_place_of(const Draft& draft, int variable, int domain,
                            const std::vector<block::PlannedBlock>& before) {
  if (!draft.variable(variable).has_record)
    return draft.first_fixed_place.at({variable, draft.set.empty() ? 0 : domain});
  if (before.empty()) return 0;
  return before.back().place.first + (before.back().chunks ? before.back().chunks->size() : 1);
}

void add_block(Draft& draft, int variable, const transport::OwnedDomain& owned, PointCuts& cuts) {
  const catalog::Variable& of = draft.variable(variable);
  const files::FilePart* file_part = draft.part_of(owned.domain);
  const auto part = std::ranges::find(draft.writer_parts, draft.writer_of(variable, owned.domain), &PartDraft::writer);
  block::PlannedBlock block;
  block.variable = variable;
  block.region = draft.box_of(variable, owned.domain);
  block.place.part = file_part == nullptr ? 0 : file_part->place;
  block.chunks = draft.chunks_of(variable, owned.domain);
  if (block.chunks) block.encoding = of.encoding;
  block.type = of.type;
  block.fill = draft.declaration.fill_of(variable);
  block.expected = owned.pieces;
  place_array(draft, owned.domain, block);
  block.map = map_of(draft, owned.domain, block);
  add_holes(draft, owned, cuts, block);
  auto& blocks = of.has_record ? part->plan->record_blocks : part->plan->fixed_blocks;
  block.place.first = first_place_of(draft, variable, owned.domain, blocks);
  draft.block_of[{variable, owned.domain}] = {static_cast<int>(part - draft.writer_parts.begin()), std::ssize(blocks)};
  blocks.push_back(std::move(block));
}

// All writers of the node see the blocks of records as the first one does, which has the pinned ones.
void share_blocks(Draft& draft) {
  block::CollectionPlan& first = *draft.writer_parts.front().plan;
  const auto is_assigned = [&](const block::PlannedBlock& block) { return !draft.is_pinned(block.variable); };
  first.pinned_blocks = std::ranges::find_if(first.record_blocks, is_assigned) - first.record_blocks.begin();
  if (first.pinned_blocks == std::ssize(first.record_blocks)) return;  // the others have no part in it
  for (std::size_t part = 1; part < draft.writer_parts.size(); ++part) {
    block::CollectionPlan& plan = *draft.writer_parts[part].plan;
    plan.record_blocks = first.record_blocks;
    plan.pinned_blocks = first.pinned_blocks;
    plan.has_pinned = false;
    plan.assignee = static_cast<int>(part);
  }
}

}  // namespace

// What is a little too large is refused when it is known how much all collections want (share_budget).
void require_room_for_blocks(const Draft& draft) {
  const std::int64_t budget = draft.given.settings.staging;
  for (int v = 0; v < std::ssize(draft.plans); ++v) {
    const catalog::Variable& of = draft.variable(v);
    for (const transport::OwnedDomain& owned : draft.plans[static_cast<std::size_t>(v)]->owned) {
      if (!draft.set.empty() && draft.part_of(owned.domain) == nullptr) continue;
      const std::int64_t bytes = draft.box_of(v, owned.domain).cells() * static_cast<std::int64_t>(size_of(of.type));
      if (bytes / 16 > budget)
        fail(THALWEG_ERROR_MEMORY,
             "staging: {} ({} bytes) a node cannot hold {} of variable '{}' of collection '{}', which takes {} ({} "
             "bytes) on the node of rank {}; set 'staging: {} MiB' or more, or use more nodes",
             staging::readable_bytes(budget), budget, of.has_record ? "one record" : "the values", of.name,
             draft.identity.name, staging::readable_bytes(bytes), bytes, draft.given.roles.rank,
             (bytes + (1 << 20) - 1) >> 20);
    }
  }
}

void plan_blocks(Draft& draft, PointCuts& cuts) {
  number_fixed_places(draft);
  for (const bool kept : {true, false})
    for (int v = 0; v < std::ssize(draft.plans); ++v) {
      if ((!draft.file_plan.assigns_records || draft.is_pinned(v)) != kept) continue;
      for (const transport::OwnedDomain& owned : draft.plans[static_cast<std::size_t>(v)]->owned)
        if (draft.set.empty() || draft.part_of(owned.domain) != nullptr) add_block(draft, v, owned, cuts);
    }
  if (draft.file_plan.assigns_records) share_blocks(draft);
}

void lay_out(Draft& draft) {
  const auto arrange = [&](std::vector<block::PlannedBlock>& blocks) {
    std::vector<block::SlotBlock> slot_blocks;
    for (const block::PlannedBlock& block : blocks) {
      // The files of a set as if one followed the other, far enough that none reaches into the next.
      constexpr std::int64_t far = std::int64_t{1} << 44;
      slot_blocks.push_back({block.place.part * far + block.place.begin + block.map.first_offset, &block.map});
    }
    const block::SlotLayout layout = block::lay_out_slot(slot_blocks);
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].slot_offset = layout.offset[b];
    return layout;
  };
  for (PartDraft& part : draft.writer_parts) {
    part.record_slot = arrange(part.plan->record_blocks);
    part.fixed_slot = arrange(part.plan->fixed_blocks);
  }
}

void count_messages(Draft& draft) {
  for (std::size_t v = 0; v < draft.plans.size(); ++v)
    for (const auto* pieces : {&draft.plans[v]->outgoing, &draft.plans[v]->incoming})
      for (const PeerPieces& of : by_peer(draft, static_cast<int>(v), *pieces)) {
        draft.messages.bytes += transport::channel_buffers * of.bytes;
        draft.messages.longest_bytes = std::max(draft.messages.longest_bytes, of.bytes);
      }
}

}  // namespace thalweg::planning
