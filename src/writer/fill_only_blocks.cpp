#include "writer/fill_only_blocks.hpp"

#include "block/holes.hpp"
#include "writer/block_encoding.hpp"

namespace thalweg::writer {

FillOnlyBlocks::FillOnlyBlocks(const block::CollectionPlan& plan, ChunkSizes& sizes) {
  const auto is_kept = [](const block::PlannedBlock& block) { return block.is_fill_only() && is_encoded(block); };
  for (std::int64_t b = 0; b < std::ssize(plan.record_blocks); ++b)
    if (const ReadyBlock of{0, b}; is_kept(planned(plan, of))) {
      std::vector<std::byte>& data = record_data_[b];
      data.resize(static_cast<std::size_t>(planned(plan, of).map.bytes));
      encode(plan, of, data.data(), sizes);
    }
  for (std::int64_t b = 0; b < std::ssize(plan.fixed_blocks); ++b)
    if (const ReadyBlock of{block::fixed_record, b}; is_kept(planned(plan, of)))
      encode(plan, of, room_of_encoded(plan, of), sizes);
}

void FillOnlyBlocks::encode(const block::CollectionPlan& plan, const ReadyBlock& of, std::byte* data,
                            ChunkSizes& sizes) {
  block::fill_holes(planned(plan, of), plan.files.big_endian, data);
  sizes.keep(of, encode_block(plan, of, data));
}

const std::byte* FillOnlyBlocks::data(const ReadyBlock& ready) const {
  const auto found = ready.is_fixed() ? record_data_.end() : record_data_.find(ready.block);
  return found == record_data_.end() ? nullptr : found->second.data();
}

}  // namespace thalweg::writer
