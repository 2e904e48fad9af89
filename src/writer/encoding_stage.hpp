// Complete blocks pass here whose chunks are encoded before they are written, by threads of the pool.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "profile/counters.hpp"
#include "staging/wake_ups.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/pool.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class EncodingStage {
 public:
  // The pool ends before the stage. `control` is rung when a block is through.
  EncodingStage(const block::CollectionPlan& plan, ChunkSizes& sizes, Pool& pool, staging::WakeUps& wake_ups,
                profile::WriterCounters& counters)
      : plan_(plan), sizes_(sizes), pool_(pool), wake_ups_(wake_ups), counters_(counters) {}
  EncodingStage(const EncodingStage&) = delete;
  EncodingStage& operator=(const EncodingStage&) = delete;

  // data: the block's first element; its holes are filled.
  void begin(const ReadyBlock& ready, std::byte* data);

  // Calls take(block) for each that is through: its sizes are known from then on. False if there was none.
  template <typename Take>
  bool take_encoded(const Take& take) {
    const std::vector<std::shared_ptr<const Encoding>> encoded = take_list();
    for (const auto& encoding : encoded) {
      account_for(*encoding);
      take(encoding->of);
    }
    return !encoded.empty();
  }

  // No record overtakes a fixed block that is being encoded: a committed one would show nothing in its place.
  bool has_fixed() const { return fixed_ > 0; }

 private:
  // Chunks of a block, each encoded by some thread of the pool.
  struct Encoding {
    ReadyBlock of;
    std::vector<transform::EncodedSize> sizes;
    std::atomic<std::int64_t> left{0};
    std::atomic<double> seconds{0.0};
  };

  void encode(const std::shared_ptr<Encoding>& encoding, std::int64_t position, std::byte* data,
              transform::EncodingTools& tools);
  std::vector<std::shared_ptr<const Encoding>> take_list();
  void account_for(const Encoding& encoding);

  const block::CollectionPlan& plan_;
  ChunkSizes& sizes_;
  Pool& pool_;
  staging::WakeUps& wake_ups_;
  profile::WriterCounters& counters_;
  int fixed_ = 0;  // blocks
  std::mutex encoded_mutex_;
  std::vector<std::shared_ptr<const Encoding>> encoded_;
};

}  // namespace thalweg::writer
