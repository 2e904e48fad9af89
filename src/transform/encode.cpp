#include "transform/encode.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/element_bits.hpp"
#include "base/little_endian.hpp"
#include "transform/chain.hpp"
#include "transform/planes.hpp"
#include "transform/quantize.hpp"

namespace thalweg::transform {
namespace {

Quantization quantization_of(const catalog::Encoding& encoding) {
  using enum Quantization::Mode;
  if (encoding.keep_bits > 0) return {bit_round, static_cast<int>(encoding.keep_bits)};
  if (encoding.keep_digits > 0) return {granular_bit_round, static_cast<int>(encoding.keep_digits)};
  return {};
}

// A chunk between two steps. Filters go from its own memory to the spare buffer or back; what it has become ends in its
// own.
class ChunkInWork {
 public:
  ChunkInWork(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes, EncodingTools& tools)
      : task_(task), chunk_(chunk), tools_(tools), from_(chunk), bytes_(bytes) {}

  void apply(Step step) {
    if (step.filter->sum != nullptr) return append(step.filter->sum(content()));
    if (to_.empty()) tools_.spare.resize(std::max(tools_.spare.size(), chunk_.size()));
    if (to_.empty()) to_ = tools_.spare;
    const bool is_codec = step.filter->place == FilterPlace::codec;
    if (is_codec && is_shuffled_ && step.filter->can_store && task_.encoding.store_noise)
      step.call.stored = noise(step);
    const auto made =
        step.filter->encode(step.call, content(), to_.first(room_for(is_codec)), tools_.compressor.memory());
    codec_skipped_ = is_codec && !made;
    if (!made) return;
    std::swap(from_, to_);
    bytes_ = *made;
    is_shuffled_ = step.filter->place == FilterPlace::order;
  }

  EncodedSize end() {
    take_home();
    return {static_cast<std::int64_t>(bytes_), codec_skipped_};
  }

 private:
  std::span<const std::byte> content() const { return from_.first(bytes_); }

  // A codec that may be left out is, unless it gains something. A checksum may follow.
  std::size_t room_for(bool is_codec) const {
    if (!is_codec) return bytes_;
    return task_.rules.skips_codec ? bytes_ - 1 : chunk_.size() - sizeof(std::uint32_t);
  }

  std::size_t noise(const Step& step) {
    const Filter& codec = step.call.inside != nullptr ? *step.call.inside : *step.filter;
    return codec.can_store
               ? noise_bytes(tools_.compressor, codec.description, step.call.level, content(), size_of(task_.type))
               : 0;
  }

  void append(std::uint32_t sum) {
    take_home();
    put_little_endian(chunk_.data() + bytes_, sum, sizeof sum);
    bytes_ += sizeof sum;
  }

  void take_home() {
    if (from_.data() == chunk_.data()) return;
    std::memcpy(chunk_.data(), from_.data(), bytes_);
    std::swap(from_, to_);
  }

  const EncodingTask& task_;
  std::span<std::byte> chunk_;
  EncodingTools& tools_;
  std::span<std::byte> from_, to_{};
  std::size_t bytes_;
  bool is_shuffled_ = false;
  bool codec_skipped_ = false;
};

}  // namespace

EncodedSize encode_chunk(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes,
                         EncodingTools& tools) {
  const catalog::Encoding& encoding = task.encoding;
  const auto values = chunk.first(bytes);
  if (encoding.rounds()) quantize(values, task.type, quantization_of(encoding), task.fill, true);
  const std::uint64_t sum = encoding.rounds() && task.sums_rounded ? bit_sum(values, size_of(task.type)) : 0;
  ChunkInWork work(task, chunk, bytes, tools);
  for (const Step& step : chain_of(encoding, task.type, task.rules, task.checksum_first)) work.apply(step);
  EncodedSize size = work.end();
  size.sum = sum;
  return size;
}

}  // namespace thalweg::transform
