#include "writer/encode.hpp"

#include <bit>
#include <cstring>

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

// The chunk's bytes go through the spare buffer once, whichever of the two steps there are.
EncodedSize shuffle_and_compress(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes,
                                 EncodingTools& tools) {
  const catalog::Encoding& encoding = task.encoding;
  if (!encoding.shuffle && encoding.codec == Codec::none) return {static_cast<std::int64_t>(bytes), false};
  tools.spare.resize(std::max(tools.spare.size(), bytes));
  const auto spare = std::span(tools.spare).first(bytes);
  if (encoding.shuffle)
    transform::shuffle(chunk.first(bytes), size_of(task.type), spare.data());
  else
    std::memcpy(spare.data(), chunk.data(), bytes);
  const auto room = chunk.first(task.is_zarr ? chunk.size() - sizeof(std::uint32_t) : bytes - 1);
  if (encoding.codec != Codec::none)
    if (const auto made = tools.compressor.compress(encoding.codec, encoding.level, spare, room))
      return {static_cast<std::int64_t>(*made), false};
  std::memcpy(chunk.data(), spare.data(), bytes);
  return {static_cast<std::int64_t>(bytes), encoding.codec != Codec::none};
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
