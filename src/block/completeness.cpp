#include "block/completeness.hpp"

namespace thalweg::block {
namespace {

bool has_all(const staging::BlockRing& ring, const std::vector<block::PlannedBlock>& blocks, std::int64_t moment) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].expected > 0 && !ring.has_all_pieces(moment, static_cast<std::int64_t>(b), blocks[b].expected))
      return false;
  return true;
}

}  // namespace

bool is_complete(const block::CollectionPlan& plan, std::int64_t moment) {
  return has_all(plan.rings.moments(), plan.record_blocks, moment);
}

bool is_fixed_complete(const block::CollectionPlan& plan) {
  return has_all(plan.rings.fixed(), plan.fixed_blocks, 0);
}

}  // namespace thalweg::block
