// zstd: what HDF5's registered filter (32015) and Zarr's codec decode.
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "base/little_endian.hpp"
#include "transform/filters/rows.hpp"

namespace thalweg::transform {
namespace {

struct ZstdContext {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> own{ZSTD_createCCtx()};
};

// One frame, which says how long its content is.
std::optional<std::size_t> compress_zstd(int level, std::span<const std::byte> in, std::span<std::byte> out,
                                         WorkingMemory& memory) {
  check_level(zstd.description, level);
  ZSTD_CCtx* const context = memory.of<ZstdContext>().own.get();
  if (context == nullptr) fail(THALWEG_ERROR_MEMORY, "no memory to compress with zstd");
  const std::size_t bytes = ZSTD_compressCCtx(context, out.data(), out.size(), in.data(), in.size(), level);
  if (!ZSTD_isError(bytes)) return bytes;
  if (ZSTD_getErrorCode(bytes) == ZSTD_error_dstSize_tooSmall) return std::nullopt;
  fail(THALWEG_ERROR_MEMORY, "zstd could not compress a chunk of {} bytes at level {}: {}", in.size(), level,
       ZSTD_getErrorName(bytes));
}

std::size_t decompress_zstd(const FilterCall& /*call*/, std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t bytes = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(bytes))
    fail(ZSTD_getErrorCode(bytes) == ZSTD_error_memory_allocation ? THALWEG_ERROR_MEMORY : THALWEG_ERROR_STORAGE,
         "a zstd chunk of {} bytes cannot be decompressed into {} bytes: {}", in.size(), out.size(),
         ZSTD_getErrorName(bytes));
  return bytes;
}

std::size_t zstd_content_bytes(std::span<const std::byte> in) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(in.data(), in.size());
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes == ZSTD_CONTENTSIZE_ERROR)
    fail(THALWEG_ERROR_STORAGE, "a chunk of {} bytes is not a zstd frame that says how long its content is", in.size());
  return bytes;
}

// ---- bytes that are stored as they are, and what is compressed behind them, as one frame

constexpr std::array<std::byte, 4> zstd_magic{std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};
constexpr std::size_t zstd_head_bytes = zstd_magic.size() + 1 + sizeof(std::uint64_t);
constexpr std::size_t zstd_block_bytes = 128 * 1024;  // the most that a block may hold
constexpr std::size_t zstd_block_head_bytes = 3;

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
std::size_t zstd_head_bytes_of(std::span<const std::byte> frame) {
  constexpr std::array<std::size_t, 4> size_bytes{0, 2, 4, 8}, dictionary_bytes{0, 1, 2, 4};
  const auto descriptor = std::to_integer<unsigned>(frame[zstd_magic.size()]);
  const bool is_single = (descriptor & 0x20) != 0;
  const std::size_t size = descriptor >> 6 == 0 && is_single ? 1 : size_bytes[descriptor >> 6];
  return zstd_magic.size() + 1 + (is_single ? 0 : 1) + dictionary_bytes[descriptor & 3] + size;
}

// The blocks of a frame of its own follow the raw blocks: what decoders remember from block to block is not changed by
// raw ones, so that it is at its beginning, as the blocks want it.
std::optional<std::size_t> zstd_behind(const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out,
                                       WorkingMemory& memory) {
  const std::size_t front = zstd_head_bytes + with_heads(call.stored, zstd_block_bytes, zstd_block_head_bytes);
  if (front > out.size()) return std::nullopt;
  const auto made = compress_zstd(call.level, in.subspan(call.stored), out.subspan(front), memory);
  if (!made) return std::nullopt;
  const std::size_t head = zstd_head_bytes_of(out.subspan(front, *made));
  std::byte* const end = put_blocks(put_zstd_head(out.data(), in.size()), in.first(call.stored), zstd_block_bytes,
                                    put_raw_zstd_block_head);
  std::memmove(end, out.data() + front + head, *made - head);
  return front + *made - head;
}

std::optional<std::size_t> encode_zstd(const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out,
                                       WorkingMemory& memory) {
  return call.stored > 0 ? zstd_behind(call, in, out, memory) : compress_zstd(call.level, in, out, memory);
}

}  // namespace

constinit const Filter zstd = {
    .description = {.name = "zstd",
                    .levels = {.least = 1, .most = 19, .usual = 3},
                    .hdf5_filter = 32015,  // (source: The HDF Group, registered filter plug-ins)
                    .zarr = "zstd",
                    .blosc = "zstd",
                    .blosc_code = 4},
    .place = FilterPlace::codec,
    .bound = [](const FilterCall&, std::size_t bytes) { return ZSTD_compressBound(bytes); },
    .encode = encode_zstd,
    .can_store = true,
    .decode = decompress_zstd,
    .content_bytes = zstd_content_bytes,
    .hdf5_values = [](int level) { return std::vector{static_cast<unsigned>(level)}; },
    .zarr_json =
        [](const FilterCall& call) {
          return fmt::format(R"({{"name":"zstd","configuration":{{"level":{},"checksum":false}}}})", call.level);
        },
    .zarr_container = &blosc};

}  // namespace thalweg::transform
