#include "writer/encode.hpp"

#include <bit>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "base/element_bits.hpp"
#include "base/little_endian.hpp"
#include "transform/blosc.hpp"
#include "transform/filters.hpp"
#include "transform/planes.hpp"
#include "transform/quantize.hpp"

namespace thalweg::writer {
namespace {

using config::Codec;

transform::Quantization quantization_of(const catalog::Encoding& encoding) {
  using enum transform::Quantization::Mode;
  if (encoding.keep_bits > 0) return {bit_round, static_cast<int>(encoding.keep_bits)};
  if (encoding.keep_digits > 0) return {granular_bit_round, static_cast<int>(encoding.keep_digits)};
  return {};
}

std::size_t append_checksum(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes) {
  const auto content = std::span<const std::byte>(chunk).first(bytes);
  const std::uint32_t sum = task.is_zarr ? transform::crc32c(content) : transform::fletcher32(content);
  put_little_endian(chunk.data() + bytes, sum, sizeof sum);
  return bytes + sizeof sum;
}

// Compresses shuffled bytes into out: what the codec would not make smaller is left to lie as it is.
std::optional<std::size_t> compress_shuffled(const EncodingTask& task, std::span<const std::byte> shuffled,
                                             std::span<std::byte> out, EncodingTools& tools) {
  const auto& [codec, level] = std::tie(task.encoding.codec, task.encoding.level);
  const std::size_t noise = transform::noise_bytes(tools.compressor, codec, level, shuffled, size_of(task.type));
  return tools.compressor.compress_behind(noise, codec, level, shuffled, out);
}

// Zarr's way to shuffle: the chunk becomes a container of blosc, which holds a copy where zstd gains nothing.
std::size_t put_into_blosc(const EncodingTask& task, std::span<const std::byte> shuffled, std::span<std::byte> chunk,
                           EncodingTools& tools) {
  const std::size_t element_bytes = size_of(task.type);
  const std::size_t most = transform::blosc_head_bytes + shuffled.size();  // of a copy
  const std::size_t room = std::max(most, transform::blosc_block_head_bytes) - transform::blosc_block_head_bytes;
  const auto made = compress_shuffled(task, shuffled, chunk.subspan(transform::blosc_block_head_bytes, room), tools);
  if (made) {
    transform::put_blosc_block_head(chunk.data(), element_bytes, shuffled.size(), *made);
    return transform::blosc_block_head_bytes + *made;
  }
  transform::put_blosc_copy_head(chunk.data(), element_bytes, shuffled.size());
  transform::unshuffle(shuffled, element_bytes, chunk.data() + transform::blosc_head_bytes);
  return most;
}

// Each step goes from the chunk's own memory to the spare buffer or back; what it has become ends in its own.
EncodedSize shuffle_and_compress(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes,
                                 EncodingTools& tools) {
  const catalog::Encoding& encoding = task.encoding;
  if (!encoding.shuffle && encoding.codec == Codec::none) return {static_cast<std::int64_t>(bytes), false};
  tools.spare.resize(std::max(tools.spare.size(), chunk.size()));
  std::span<std::byte> from = chunk, to = tools.spare;
  if (encoding.shuffle) {
    transform::shuffle(from.first(bytes), size_of(task.type), to.data());
    std::swap(from, to);
  }
  if (encoding.shuffle && task.is_zarr)
    return {static_cast<std::int64_t>(put_into_blosc(task, from.first(bytes), to, tools)), false};
  const auto content = from.first(bytes);
  const auto room = to.first(task.is_zarr ? chunk.size() - sizeof(std::uint32_t) : bytes - 1);
  std::optional<std::size_t> made;
  if (encoding.codec != Codec::none)
    made = encoding.shuffle ? compress_shuffled(task, content, room, tools)
                            : tools.compressor.compress(encoding.codec, encoding.level, content, room);
  const std::byte* result = made ? to.data() : from.data();
  const std::size_t result_bytes = made.value_or(bytes);
  if (result != chunk.data()) std::memcpy(chunk.data(), result, result_bytes);
  return {static_cast<std::int64_t>(result_bytes), encoding.codec != Codec::none && !made};
}

}  // namespace

EncodedSize encode_chunk(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes,
                         EncodingTools& tools) {
  const catalog::Encoding& encoding = task.encoding;
  const auto values = chunk.first(bytes);
  if (encoding.rounds()) transform::quantize(values, task.type, quantization_of(encoding), task.fill, true);
  const std::uint64_t sum = encoding.rounds() && task.sums_rounded ? bit_sum(values, size_of(task.type)) : 0;
  if (encoding.checksum && task.checksum_first) bytes = append_checksum(task, chunk, bytes);
  EncodedSize size = shuffle_and_compress(task, chunk, bytes, tools);
  if (encoding.checksum && !task.checksum_first)
    size.bytes = static_cast<std::int64_t>(append_checksum(task, chunk, static_cast<std::size_t>(size.bytes)));
  size.sum = sum;
  return size;
}

}  // namespace thalweg::writer
