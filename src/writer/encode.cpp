#include "writer/encode.hpp"

#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "transform/filters.hpp"
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
  for (std::size_t i = 0; i < sizeof sum; ++i) chunk[bytes + i] = static_cast<std::byte>(sum >> 8 * i & 0xff);
  return bytes + sizeof sum;
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
  std::optional<std::size_t> made;
  const std::size_t room = task.is_zarr ? chunk.size() - sizeof(std::uint32_t) : bytes - 1;
  if (encoding.codec != Codec::none)
    made = tools.compressor.compress(encoding.codec, encoding.level, from.first(bytes), to.first(room));
  const std::byte* result = made ? to.data() : from.data();
  const std::size_t result_bytes = made.value_or(bytes);
  if (result != chunk.data()) std::memcpy(chunk.data(), result, result_bytes);
  return {static_cast<std::int64_t>(result_bytes), encoding.codec != Codec::none && !made};
}

}  // namespace

EncodedSize encode_chunk(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes,
                         EncodingTools& tools) {
  const catalog::Encoding& encoding = task.encoding;
  if (encoding.rounds()) transform::quantize(chunk.first(bytes), task.type, quantization_of(encoding), task.fill, true);
  if (encoding.checksum && task.checksum_first) bytes = append_checksum(task, chunk, bytes);
  EncodedSize size = shuffle_and_compress(task, chunk, bytes, tools);
  if (encoding.checksum && !task.checksum_first)
    size.bytes = static_cast<std::int64_t>(append_checksum(task, chunk, static_cast<std::size_t>(size.bytes)));
  return size;
}

}  // namespace thalweg::writer
