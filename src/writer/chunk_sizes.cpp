#include "writer/chunk_sizes.hpp"

#include <utility>

#include "block/results.hpp"

namespace thalweg::writer {

void ChunkSizes::keep(const ReadyBlock& of, std::vector<transform::EncodedSize> sizes) {
  SizesOfBlocks& blocks = of.is_fixed()                       ? fixed_
                          : planned(plan_, of).is_fill_only() ? fill_only_
                                                              : records_[of.moment].blocks;
  blocks[of.block] = std::move(sizes);
}

const std::vector<transform::EncodedSize>* ChunkSizes::of(const ReadyBlock& ready) const {
  const auto in = [&](const SizesOfBlocks& blocks) {
    const auto found = blocks.find(ready.block);
    return found == blocks.end() ? nullptr : &found->second;
  };
  if (ready.is_fixed()) return in(fixed_);
  if (planned(plan_, ready).is_fill_only()) return in(fill_only_);
  const auto found = records_.find(ready.moment);
  return found == records_.end() ? nullptr : in(found->second.blocks);
}

bool ChunkSizes::owner_waits(std::int64_t record) const {
  return block::is_fixed(record) ? plan_.files.fixed_sizes_first : plan_.files.sizes_first;
}

std::optional<std::vector<std::int64_t>> ChunkSizes::take_untold(std::int64_t record, bool is_own) {
  if (!owner_waits(record)) return std::nullopt;
  const bool fixed = block::is_fixed(record);
  if (fixed ? record != block::fixed_of_file(fixed_told_) : records_[record].is_told) return std::nullopt;
  const auto& blocks = fixed ? plan_.fixed_blocks : plan_.record_blocks;
  std::vector<std::int64_t> codes;
  for (std::int64_t b = 0; b < std::ssize(blocks); ++b) {
    if (!blocks[static_cast<std::size_t>(b)].encoding.changes_size()) continue;
    if (!fixed && !writes_block(plan_, b, is_own)) continue;
    const std::vector<transform::EncodedSize>* sizes = of({fixed ? block::fixed_record : record, b});
    if (sizes == nullptr) return std::nullopt;
    for (const transform::EncodedSize& size : *sizes) codes.push_back(block::code_of(size.bytes, size.codec_skipped));
  }
  if (fixed)
    ++fixed_told_;
  else
    records_[record].is_told = true;
  return codes;
}

}  // namespace thalweg::writer
