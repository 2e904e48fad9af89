// Which values the fixed blocks of a writer hold. A block has one room, whose values change from file to file: its
// writer says in how many leading files it has written the block, and each process of the node how many leading files
// it has settled, that is, for which all that it puts, or receives, of fixed variables is in the blocks. So neither
// touches what the other still needs, and nobody waits. The first file needs no settling: it gets what comes first. A
// view on shared memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "staging/block_ring.hpp"

namespace thalweg::staging {

class SettledFiles {
 public:
  // What a process does for the blocks: each by itself.
  enum class By { puts, receipts };
  static constexpr std::int64_t ways = 2;  // RingShape::variables of a fixed ring

  explicit SettledFiles(const BlockRing& fixed) : ring_(fixed) {}

  // ---- processes
  void settle(std::int64_t process, By by, std::int64_t files) const {
    if (ring_.shape().blocks > 0)
      ring_.last_put(process, static_cast<std::int64_t>(by)).store(files, std::memory_order_release);
  }
  // All files before this one have the block, which may get the values for it.
  bool takes_values(std::int64_t block, std::int64_t file) const { return files_with(block) >= file; }
  // A piece of a complete block has other values, and with them the block another checksum.
  void renew(std::int64_t block, std::uint64_t difference) const {
    BlockState& state = ring_.state(0, block);
    state.checksum.fetch_add(difference, std::memory_order_relaxed);
    state.arrivals.fetch_add(1, std::memory_order_release);
  }

  // ---- the writer
  // So many leading files are settled by all.
  std::int64_t files() const {
    std::int64_t least = BlockRing::all_moments;
    const RingShape& shape = ring_.shape();
    for (std::int64_t process = 0; process < shape.clients; ++process)
      for (std::int64_t by = 0; by < shape.variables; ++by)
        least = std::min(least, ring_.last_put(process, by).load(std::memory_order_acquire));
    return least;
  }
  std::int64_t files_with(std::int64_t block) const {
    return ring_.state(0, block).open.load(std::memory_order_acquire);
  }
  void note_in_file(std::int64_t block) const { ring_.state(0, block).open.fetch_add(1, std::memory_order_release); }
  // It grows with each piece that has other values.
  std::uint32_t version_of(std::int64_t block) const {
    return ring_.state(0, block).arrivals.load(std::memory_order_acquire);
  }

 private:
  const BlockRing& ring_;
};

}  // namespace thalweg::staging
