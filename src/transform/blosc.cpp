#include "transform/blosc.hpp"

#include <cstring>

namespace thalweg::transform {
namespace {

constexpr std::uint8_t format_version = 2, zstd_version = 1;
constexpr std::uint8_t is_shuffled = 0x01, is_copy = 0x02, is_not_split = 0x10, by_zstd = 4 << 5;

struct Head {
  std::uint8_t version, codec_version, flags, element_bytes;
  std::uint32_t bytes, block_bytes, all_bytes;  // little-endian, as the machine
};
static_assert(sizeof(Head) == blosc_head_bytes);

void put_head(std::byte* at, std::uint8_t flags, std::size_t element_bytes, std::size_t bytes, std::size_t all_bytes) {
  const auto short_bytes = static_cast<std::uint32_t>(bytes);
  const Head head{format_version,
                  zstd_version,
                  flags,
                  static_cast<std::uint8_t>(element_bytes),
                  short_bytes,
                  short_bytes,
                  static_cast<std::uint32_t>(all_bytes)};
  std::memcpy(at, &head, sizeof head);
}

}  // namespace

void put_blosc_block_head(std::byte* at, std::size_t element_bytes, std::size_t bytes, std::size_t made) {
  put_head(at, is_shuffled | is_not_split | by_zstd, element_bytes, bytes, blosc_block_head_bytes + made);
  const std::uint32_t begin_of_block = blosc_head_bytes + sizeof begin_of_block;
  const auto block_bytes = static_cast<std::uint32_t>(made);
  std::memcpy(at + blosc_head_bytes, &begin_of_block, sizeof begin_of_block);
  std::memcpy(at + begin_of_block, &block_bytes, sizeof block_bytes);
}

void put_blosc_copy_head(std::byte* at, std::size_t element_bytes, std::size_t bytes) {
  put_head(at, is_copy | by_zstd, element_bytes, bytes, blosc_head_bytes + bytes);
}

}  // namespace thalweg::transform
