#include "writer/encoding_stage.hpp"

#include <utility>

#include "base/clock.hpp"
#include "base/seconds.hpp"
#include "base/subject.hpp"
#include "writer/block_encoding.hpp"

namespace thalweg::writer {

void EncodingStage::begin(const ReadyBlock& ready, std::byte* data) {
  if (ready.is_fixed()) ++fixed_;
  const std::int64_t chunks = planned(plan_, ready).map.run_count;
  auto encoding = std::make_shared<Encoding>();
  encoding->of = ready;
  encoding->sizes.resize(static_cast<std::size_t>(chunks));
  encoding->left = chunks;
  for (std::int64_t k = 0; k < chunks; ++k)
    pool_.submit([this, encoding, k, data](transform::EncodingTools& tools) { encode(encoding, k, data, tools); });
}

// By a thread of the pool.
void EncodingStage::encode(const std::shared_ptr<Encoding>& encoding, std::int64_t position, std::byte* data,
                           transform::EncodingTools& tools) {
  const Concerns about(plan_.word, encoding->of.moment);
  const double start_s = now_s();
  encoding->sizes[static_cast<std::size_t>(position)] = encode_chunk_of(plan_, encoding->of, position, data, tools);
  const double end_s = now_s();
  encoding->seconds.fetch_add(end_s - start_s, std::memory_order_relaxed);
  tell_span({"encode", start_s, end_s});
  if (encoding->left.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  {
    const std::lock_guard lock(encoded_mutex_);
    encoded_.push_back(encoding);
  }
  wake_ups_.ring();
}

std::vector<std::shared_ptr<const EncodingStage::Encoding>> EncodingStage::take_list() {
  const std::lock_guard lock(encoded_mutex_);
  return std::exchange(encoded_, {});
}

void EncodingStage::account_for(const Encoding& encoding) {
  const block::BlockMap& map = planned(plan_, encoding.of).map;
  counters_.encode_s += encoding.seconds.load(std::memory_order_relaxed);
  counters_.raw_bytes += map.run_bytes * map.run_count;
  for (const transform::EncodedSize& size : encoding.sizes) counters_.encoded_bytes += size.bytes;
  sizes_.keep(encoding.of, encoding.sizes);
  if (encoding.of.is_fixed()) --fixed_;
}

}  // namespace thalweg::writer
