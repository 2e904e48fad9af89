#include "writer/written_sums.hpp"

namespace thalweg::writer {

void WrittenSums::add(const ReadyBlock& ready, std::int64_t file, std::int64_t index_in_file) {
  if (!plan_.files.summed) return;
  const block::PlannedBlock& block = planned(plan_, ready);
  sums_.add({file, block.place.part, index_in_file}, block.variable, sum_of(ready));
}

void WrittenSums::add_others(std::int64_t file, std::int64_t index_in_file, const block::Sums& sums) {
  sums_.add({file, 0, index_in_file}, sums);
}

// Clients took it in their copy. Rounding changes the bits behind that, so that the chunks are summed again, and with
// them what lies behind the variable's edge.
std::uint64_t WrittenSums::sum_of(const ReadyBlock& ready) const {
  const block::PlannedBlock& block = planned(plan_, ready);
  if (!block.encoding.rounds()) return sum_of_arrivals(plan_, ready) + block.sum_of_holes();
  const std::int64_t cells = block.chunks->chunk.product() * block.map.run_count;
  std::uint64_t sum = static_cast<std::uint64_t>(block.region.cells() - cells) * bits_of(block.fill, block.type);
  for (const transform::EncodedSize& chunk : *sizes_.of(ready)) sum += chunk.sum;
  return sum;
}

}  // namespace thalweg::writer
