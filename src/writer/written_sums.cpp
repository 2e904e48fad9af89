#include "writer/written_sums.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::writer {

void WrittenSums::add(const ReadyBlock& ready, std::int64_t file, std::int64_t index_in_file) {
  if (!plan_.files.summed) return;
  const block::PlannedBlock& block = planned(plan_, ready);
  sums_.add({file, block.place.part, index_in_file}, block.variable, sum_of(ready));
}

void WrittenSums::add_others(std::int64_t file, std::int64_t index_in_file, const block::Sums& sums) {
  sums_.add({file, 0, index_in_file}, sums);
}

void WrittenSums::require_expected(std::int64_t file, std::int64_t records) {
  if (!expected_ || expected_->file != file) return;
  for (; compared_ < std::min(records, std::ssize(expected_->records)); ++compared_) require_expected(compared_);
}

void WrittenSums::require_expected(std::int64_t index_in_file) const {
  const block::Sums& before = expected_->records[static_cast<std::size_t>(index_in_file)];
  const block::Sums now = sums_.look_at({expected_->file, 0, index_in_file});
  const auto differing = std::ranges::mismatch(before, now);
  if (differing.in1 == before.end()) return;
  const auto variable = static_cast<std::size_t>(differing.in1 - before.begin());
  fail(THALWEG_ERROR_FORMAT,
       "collection '{0}', variable '{1}', record {2}: with 'append: continue' it would have other values than "
       "'{3}.checksums' says of '{3}'. Either that file was changed or damaged since it was written ('thalweg verify' "
       "tells), or it has values in cells that no rank of this run holds, or this run rounds values more. It stays "
       "as it is; repair it, hold those cells, or remove '{3}.checksums' to go on all the same",
       plan_.name, plan_.variables[variable], index_in_file, expected_->earlier_path);
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
