#include "block/piece_arrival.hpp"

#include "base/log.hpp"
#include "staging/budget.hpp"

namespace thalweg::block {
namespace {

// The writer is woken at once for a complete block of this size; smaller ones wait for the rest of their moment.
constexpr std::int64_t waking_bytes = std::int64_t{256} << 10;

std::int64_t assigned_bytes(const block::CollectionPlan& plan) {
  std::int64_t bytes = 0;
  for (std::size_t b = static_cast<std::size_t>(plan.pinned_blocks); b < plan.record_blocks.size(); ++b)
    if (!plan.record_blocks[b].is_fill_only()) bytes += plan.record_blocks[b].map.bytes;
  return bytes;
}

}  // namespace

bool PieceArrival::takes_pieces(const NodeBlocks& blocks, const BlockPlace& block, std::int64_t moment) const {
  if (blocks.is_assigned(block, moment) && !assign(blocks, moment)) return false;
  return blocks.takes_pieces(block, moment);
}

bool PieceArrival::assign(const NodeBlocks& blocks, std::int64_t moment) const {
  const block::CollectionPlan& plan = *blocks.parts.front().plan;
  if (plan.assignment.writer_of(moment)) return true;
  if (!plan.assignment.may_assign(moment)) return false;
  const std::vector<std::int64_t> bytes = bytes_to_write(blocks);
  const std::size_t place = blocks.policy->writer_of({moment, bytes});
  if (!plan.assignment.assign(moment, static_cast<int>(place))) return true;
  const WriterPart& part = blocks.parts[place];
  give_to_write(part, assigned_bytes(plan));
  if (log::enabled(log::Level::debug))
    log::debug("collection '{}': record {} goes to the server of rank {}, which had {} to write", plan.name, moment,
               part.writer, staging::readable_bytes(bytes[place]));
  return true;
}

std::vector<std::int64_t> PieceArrival::bytes_to_write(const NodeBlocks& blocks) const {
  std::vector<std::int64_t> bytes;
  for (const WriterPart& part : blocks.parts)
    bytes.push_back(processes_.client(part.place).bytes_to_write.load(std::memory_order_relaxed));
  return bytes;
}

void PieceArrival::give_to_write(const WriterPart& part, std::int64_t bytes) const {
  processes_.client(part.place).bytes_to_write.fetch_add(bytes, std::memory_order_relaxed);
}

void PieceArrival::count(const NodeBlocks& blocks, const BlockPlace& block, std::int64_t moment, std::uint32_t pieces,
                         std::uint32_t expected, std::uint64_t checksum) const {
  if (!blocks.plan_of(block).rings.arrive(block.at(moment), pieces, expected, checksum)) return;
  if (!blocks.by_mpiio) return hand_over(blocks, block, moment);
  // The ranks that write it wait for progress, or, where they step a writer, for the bell.
  wake_ups_.note_progress();
  wake_ups_.ring();
}

void PieceArrival::hand_over(const NodeBlocks& blocks, const BlockPlace& block, std::int64_t moment) const {
  const block::CollectionPlan& plan = blocks.plan_of(block);
  const staging::BlockAddress of = block.at(moment);
  const WriterPart& part = blocks.part_of(block, moment);
  const std::int64_t bytes = plan.block(of).map.bytes;
  const bool is_assigned = blocks.is_assigned(block, moment);
  if (!of.is_fixed() && !is_assigned) give_to_write(part, bytes);  // what is assigned counts from then on
  part.ready_queue.push(plan.rings.id(of));
  if (is_assigned) plan.assignment.complete_block(moment);
  const bool completes = !of.is_fixed() && plan.rings.moments().completes_moment(moment);
  if (completes || bytes >= waking_bytes) wake_ups_.ring();
}

}  // namespace thalweg::block
