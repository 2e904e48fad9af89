// Compressor: bytes that are stored as they are, and what is compressed behind them, as one frame or stream.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/little_endian.hpp"
#include "transform/codecs.hpp"

namespace thalweg::transform {
namespace {

constexpr std::array<std::byte, 4> zstd_magic{std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};
constexpr std::size_t zstd_head_bytes = zstd_magic.size() + 1 + sizeof(std::uint64_t);
constexpr std::size_t zstd_block_bytes = 128 * 1024;  // the most that a block may hold
constexpr std::size_t zstd_block_head_bytes = 3;
constexpr std::size_t deflate_block_bytes = 65535;
constexpr std::size_t deflate_block_head_bytes = 5;
constexpr std::size_t zlib_head_bytes = 2, adler_bytes = 4;

std::size_t with_heads(std::size_t bytes, std::size_t block_bytes, std::size_t head_bytes) {
  return bytes + (bytes + block_bytes - 1) / block_bytes * head_bytes;
}

// Copies in, cut into blocks, each behind its head, and returns what follows.
template <typename PutHead>
std::byte* put_blocks(std::byte* at, std::span<const std::byte> in, std::size_t block_bytes, const PutHead& put_head) {
  for (std::size_t begin = 0; begin < in.size(); begin += block_bytes) {
    const auto block = in.subspan(begin, std::min(block_bytes, in.size() - begin));
    at = std::copy(block.begin(), block.end(), put_head(at, block.size()));
  }
  return at;
}

// A head that says the size of the content and that all of it is the window, with which back references and blocks of
// any frame are allowed. (source: RFC 8878, 3.1.1.1)
std::byte* put_zstd_head(std::byte* at, std::size_t content_bytes) {
  constexpr std::byte descriptor{0xE0};  // eight bytes of size, single segment, neither checksum nor dictionary
  at = std::copy(zstd_magic.begin(), zstd_magic.end(), at);
  *at++ = descriptor;
  return put_little_endian(at, content_bytes, sizeof(std::uint64_t));
}

// (source: RFC 8878, 3.1.1.2: last block, two bits of type, 21 of size)
std::byte* put_raw_zstd_block_head(std::byte* at, std::size_t bytes) {
  return put_little_endian(at, bytes << 3, zstd_block_head_bytes);
}

// (source: RFC 8878, 3.1.1.1.1: sizes of the fields of a frame's head)
std::size_t head_bytes_of(std::span<const std::byte> frame) {
  constexpr std::array<std::size_t, 4> size_bytes{0, 2, 4, 8}, dictionary_bytes{0, 1, 2, 4};
  const auto descriptor = std::to_integer<unsigned>(frame[zstd_magic.size()]);
  const bool is_single = (descriptor & 0x20) != 0;
  const std::size_t size = descriptor >> 6 == 0 && is_single ? 1 : size_bytes[descriptor >> 6];
  return zstd_magic.size() + 1 + (is_single ? 0 : 1) + dictionary_bytes[descriptor & 3] + size;
}

// (source: RFC 1951, 3.2.4: not the last block, stored, filled up to a byte; its length, and that inverted)
std::byte* put_stored_deflate_block_head(std::byte* at, std::size_t bytes) {
  *at++ = std::byte{0};
  at = put_little_endian(at, bytes, 2);
  return put_little_endian(at, ~bytes, 2);
}

}  // namespace

// The blocks of a frame of its own follow the raw blocks: what decoders remember from block to block is not changed by
// raw ones, so that it is at its beginning, as the blocks want it.
std::optional<std::size_t> Compressor::zstd_behind(std::size_t stored, int level, std::span<const std::byte> in,
                                                   std::span<std::byte> out) {
  const std::size_t front = zstd_head_bytes + with_heads(stored, zstd_block_bytes, zstd_block_head_bytes);
  if (front > out.size()) return std::nullopt;
  const auto made = zstd(level, in.subspan(stored), out.subspan(front));
  if (!made) return std::nullopt;
  const std::size_t head = head_bytes_of(out.subspan(front, *made));
  std::byte* const end =
      put_blocks(put_zstd_head(out.data(), in.size()), in.first(stored), zstd_block_bytes, put_raw_zstd_block_head);
  std::memmove(end, out.data() + front + head, *made - head);
  return front + *made - head;
}

std::optional<std::size_t> Compressor::deflate_behind(std::size_t stored, int level, std::span<const std::byte> in,
                                                      std::span<std::byte> out) {
  constexpr std::array<std::byte, zlib_head_bytes> head{std::byte{0x78}, std::byte{0x9C}};
  const std::size_t front = head.size() + with_heads(stored, deflate_block_bytes, deflate_block_head_bytes);
  if (front + adler_bytes > out.size()) return std::nullopt;
  std::byte* at = std::copy(head.begin(), head.end(), out.data());
  at = put_blocks(at, in.first(stored), deflate_block_bytes, put_stored_deflate_block_head);
  const std::span<std::byte> room = out.subspan(front, out.size() - front - adler_bytes);
  const auto made = deflate_without_frame(level, in.subspan(stored), room);
  if (!made) return std::nullopt;
  put_little_endian(at + *made, __builtin_bswap32(adler32(in)), adler_bytes);  // the highest byte first
  return front + *made + adler_bytes;
}

std::optional<std::size_t> Compressor::compress_behind(std::size_t stored, Codec codec, int level,
                                                       std::span<const std::byte> in, std::span<std::byte> out) {
  if (stored == 0 || codec == Codec::none) return compress(codec, level, in, out);
  return codec == Codec::zstd ? zstd_behind(stored, level, in, out) : deflate_behind(stored, level, in, out);
}

}  // namespace thalweg::transform
