#include "writer/chunk_sizes.hpp"

#include <utility>

#include "block/results.hpp"

namespace thalweg::writer {

void ChunkSizes::keep(const ReadyBlock& of, std::vector<transform::EncodedSize> sizes) {
  SizesOfBlocks& blocks = of.is_fixed()                       ? fixed_.blocks
                          : planned(plan_, of).is_fill_only() ? fill_only_
                                                              : records_[of.moment].blocks;
  blocks[of.block] = std::move(sizes);
}

const std::vector<transform::EncodedSize>* ChunkSizes::of(const ReadyBlock& ready) const {
  const auto in = [&](const SizesOfBlocks& blocks) {
    const auto found = blocks.find(ready.block);
    return found == blocks.end() ? nullptr : &found->second;
  };
  if (ready.is_fixed()) return in(fixed_.blocks);
  if (planned(plan_, ready).is_fill_only()) return in(fill_only_);
  const auto found = records_.find(ready.moment);
  return found == records_.end() ? nullptr : in(found->second.blocks);
}

bool ChunkSizes::owner_waits(std::int64_t record) const {
  return record == block::fixed_record ? plan_.files.fixed_sizes_first : plan_.files.sizes_first;
}

std::optional<std::vector<std::int64_t>> ChunkSizes::take_untold(std::int64_t record, bool is_own) {
  if (!owner_waits(record)) return std::nullopt;
  const bool fixed = record == block::fixed_record;
  bool& is_told = fixed ? fixed_.is_told : records_[record].is_told;
  if (is_told) return std::nullopt;
  const auto& blocks = fixed ? plan_.fixed_blocks : plan_.record_blocks;
  std::vector<std::int64_t> codes;
  for (std::int64_t b = 0; b < std::ssize(blocks); ++b) {
    if (!blocks[static_cast<std::size_t>(b)].encoding.changes_size()) continue;
    if (!fixed && !writes_block(plan_, b, is_own)) continue;
    const std::vector<transform::EncodedSize>* sizes = of({record, b});
    if (sizes == nullptr) return std::nullopt;
    for (const transform::EncodedSize& size : *sizes) codes.push_back(block::code_of(size.bytes, size.codec_skipped));
  }
  is_told = true;
  return codes;
}

}  // namespace thalweg::writer
