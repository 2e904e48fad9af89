#include "block/node_blocks.hpp"

#include <algorithm>

namespace thalweg::block {

const WriterPart& NodeBlocks::part_of(const BlockPlace& block, std::int64_t moment) const {
  const auto assigned = is_assigned(block, moment) ? plan_of(block).assignment.writer_of(moment) : std::nullopt;
  return parts[static_cast<std::size_t>(assigned.value_or(block.part))];
}

std::byte* NodeBlocks::origin(const BlockPlace& block, const Moment& moment) const {
  const block::CollectionPlan& plan = plan_of(block);
  const staging::BlockAddress of = block.at(moment.number);
  return plan.rings.memory(of) + (of.is_fixed() ? 0 : plan.page_shift(block.number, moment.index_in_file));
}

std::int64_t NodeBlocks::written_moments() const {
  std::int64_t least = staging::BlockRing::all_moments;
  for (const WriterPart& part : parts)
    if (!part.plan->record_blocks.empty()) least = std::min(least, part.plan->rings.moments().progress().moments());
  return least;
}

bool NodeBlocks::are_written_here() const {
  return by_mpiio || std::ranges::any_of(parts, &WriterPart::participates);
}

bool NodeBlocks::are_gathered() const {
  return !by_mpiio && std::ranges::any_of(parts, [](const WriterPart& part) { return part.plan->whole_records; });
}

bool NodeBlocks::has_finished(std::int64_t files) const {
  return std::ranges::all_of(parts, [&](const WriterPart& part) {
    return !part.participates || part.plan->rings.moments().progress().files() >= files;
  });
}

std::optional<staging::FileError> NodeBlocks::error() const {
  for (const WriterPart& part : parts)
    if (const auto error = part.participates ? part.plan->rings.moments().progress().error() : std::nullopt)
      return error;
  return std::nullopt;
}

void NodeBlocks::ask_for(std::int64_t moments) const {
  for (const WriterPart& part : parts) part.plan->rings.moments().ask_for(moments);
}

void NodeBlocks::settle(std::int64_t process, staging::SettledFiles::By by, std::int64_t files) const {
  for (const WriterPart& part : parts) staging::SettledFiles(part.plan->rings.fixed()).settle(process, by, files);
}

void NodeBlocks::ask_for_room(const BlockPlace& block, std::int64_t moment) const {
  if (is_assigned(block, moment)) return ask_for(moment);
  plan_of(block).rings.moments().ask_for(moment);
}

}  // namespace thalweg::block
