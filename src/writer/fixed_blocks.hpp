// Knows which fixed blocks are complete, and whether they hold what a file is to have of them.
#pragma once

#include <cstdint>
#include <vector>

#include "staging/settled_files.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class FixedBlocks {
 public:
  explicit FixedBlocks(const block::CollectionPlan& plan);

  // It is complete and, as it is now, encoded.
  void add_ready(std::int64_t block) { ready_[static_cast<std::size_t>(block)] = true; }
  // No process puts anything else for this file, or one before it.
  bool is_settled(std::int64_t file);
  // Of a settled file: blocks that have other values for it than when they were encoded, which they are from now on.
  std::vector<std::int64_t> take_outdated(std::int64_t file);
  // Of a settled file: the block is as it is to be there.
  bool may_write(std::int64_t block, std::int64_t file) const;
  void note_written(std::int64_t block) const { settled_.note_in_file(block); }

 private:
  const block::CollectionPlan& plan_;
  staging::SettledFiles settled_;
  std::vector<bool> ready_;
  std::vector<std::uint32_t> encoded_;  // the version of each block
  std::int64_t settled_files_ = 1;
};

}  // namespace thalweg::writer
