// deflate: zlib streams, which HDF5's own filter decodes. And gzip, which Zarr has instead: others' stores are read.
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/error.hpp"
#include "base/little_endian.hpp"
#include "transform/filters/rows.hpp"

namespace thalweg::transform {
namespace {

// Of one level.
struct DeflateStream {
  struct Free {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  };
  std::unique_ptr<libdeflate_compressor, Free> own;
  int level = 0;
};

libdeflate_compressor* deflate_compressor(int level, WorkingMemory& memory) {
  check_level(deflate.description, level);
  DeflateStream& stream = memory.of<DeflateStream>();
  if (stream.own == nullptr || stream.level != level) stream.own.reset(libdeflate_alloc_compressor(level));
  if (stream.own == nullptr) fail(THALWEG_ERROR_MEMORY, "no memory to compress with deflate, level {}", level);
  stream.level = level;
  return stream.own.get();
}

const char* deflate_fault(libdeflate_result result) {
  return result == LIBDEFLATE_INSUFFICIENT_SPACE ? "its content is longer" : "its content is damaged";
}

using Decompress = libdeflate_result (*)(libdeflate_decompressor*, const void*, std::size_t, void*, std::size_t,
                                         std::size_t*);

template <Decompress decompress_stream>
std::size_t inflate(const FilterCall& /*call*/, std::span<const std::byte> in, std::span<std::byte> out) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (decompressor == nullptr) fail(THALWEG_ERROR_MEMORY, "no memory to decompress a deflate chunk");
  std::size_t bytes = 0;
  const libdeflate_result result =
      decompress_stream(decompressor.get(), in.data(), in.size(), out.data(), out.size(), &bytes);
  if (result != LIBDEFLATE_SUCCESS)
    fail(THALWEG_ERROR_STORAGE, "a deflate chunk of {} bytes cannot be decompressed into {} bytes: {}", in.size(),
         out.size(), deflate_fault(result));
  return bytes;
}

// ---- bytes that are stored as they are, and what is compressed behind them, as one stream

constexpr std::size_t deflate_block_bytes = 65535;  // the most that a stored block may hold
constexpr std::size_t deflate_block_head_bytes = 5;
constexpr std::size_t adler_bytes = 4;

// (source: RFC 1951, 3.2.4: not the last block, stored, filled up to a byte; its length, and that inverted)
std::byte* put_stored_block_head(std::byte* at, std::size_t bytes) {
  *at++ = std::byte{0};
  at = put_little_endian(at, bytes, 2);
  return put_little_endian(at, ~bytes, 2);
}

std::optional<std::size_t> deflate_behind(const FilterCall& call, std::span<const std::byte> in,
                                          std::span<std::byte> out, WorkingMemory& memory) {
  constexpr std::array<std::byte, 2> head{std::byte{0x78}, std::byte{0x9C}};
  const std::size_t front = head.size() + with_heads(call.stored, deflate_block_bytes, deflate_block_head_bytes);
  if (front + adler_bytes > out.size()) return std::nullopt;
  std::byte* at = std::copy(head.begin(), head.end(), out.data());
  at = put_blocks(at, in.first(call.stored), deflate_block_bytes, put_stored_block_head);
  const auto rest = in.subspan(call.stored);
  const std::size_t made = libdeflate_deflate_compress(deflate_compressor(call.level, memory), rest.data(), rest.size(),
                                                       at, out.size() - front - adler_bytes);
  if (made == 0) return std::nullopt;
  put_little_endian(at + made, __builtin_bswap32(libdeflate_adler32(1, in.data(), in.size())),
                    adler_bytes);  // the highest byte first
  return front + made + adler_bytes;
}

std::optional<std::size_t> encode_deflate(const FilterCall& call, std::span<const std::byte> in,
                                          std::span<std::byte> out, WorkingMemory& memory) {
  if (call.stored > 0) return deflate_behind(call, in, out, memory);
  const std::size_t bytes =
      libdeflate_zlib_compress(deflate_compressor(call.level, memory), in.data(), in.size(), out.data(), out.size());
  return bytes == 0 ? std::nullopt : std::optional(bytes);
}

}  // namespace

constinit const Filter deflate = {
    .description = {.name = "deflate",
                    .levels = {.least = 1, .most = 9, .usual = 4},
                    .hdf5_filter = 1,  // (source: H5Z_FILTER_DEFLATE in H5Zpublic.h)
                    .is_in_hdf5 = true},
    .place = FilterPlace::codec,
    .bound = [](const FilterCall&, std::size_t bytes) { return libdeflate_zlib_compress_bound(nullptr, bytes); },
    .encode = encode_deflate,
    .can_store = true,
    .decode = inflate<libdeflate_zlib_decompress>,
    .hdf5_values = [](int level) { return std::vector{static_cast<unsigned>(level)}; }};

constinit const Filter gzip = {.description = {.name = "gzip", .zarr = "gzip"},
                               .place = FilterPlace::codec,
                               .decode = inflate<libdeflate_gzip_decompress>};

}  // namespace thalweg::transform
