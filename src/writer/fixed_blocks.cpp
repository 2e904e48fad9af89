#include "writer/fixed_blocks.hpp"

#include "writer/block_encoding.hpp"

namespace thalweg::writer {

FixedBlocks::FixedBlocks(const block::CollectionPlan& plan) : plan_(plan), settled_(plan.rings.fixed()) {
  for (const block::PlannedBlock& block : plan.fixed_blocks) {
    ready_.push_back(block.is_fill_only());
    encoded_.push_back(block.expected);
  }
}

bool FixedBlocks::is_settled(std::int64_t file) {
  if (file >= settled_files_) settled_files_ = std::max(settled_files_, settled_.files());
  return file < settled_files_;
}

std::vector<std::int64_t> FixedBlocks::take_outdated(std::int64_t file) {
  std::vector<std::int64_t> outdated;
  for (std::int64_t b = 0; b < std::ssize(ready_); ++b) {
    const auto block = static_cast<std::size_t>(b);
    if (!ready_[block] || !is_encoded(plan_.fixed_blocks[block]) || settled_.files_with(b) != file) continue;
    const std::uint32_t version = plan_.fixed_blocks[block].is_fill_only() ? 0 : settled_.version_of(b);
    if (version == encoded_[block]) continue;
    encoded_[block] = version;
    ready_[block] = false;
    outdated.push_back(b);
  }
  return outdated;
}

bool FixedBlocks::may_write(std::int64_t block, std::int64_t file) const {
  return ready_[static_cast<std::size_t>(block)] && settled_.files_with(block) == file;
}

}  // namespace thalweg::writer
