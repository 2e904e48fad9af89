#include "transform/codecs.hpp"

#include <libdeflate.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::transform {
namespace {

void check_level(const char* codec, int level, Levels allowed) {
  if (level < allowed.least || level > allowed.most)
    fail(THALWEG_ERROR_ARGUMENT, "compression level {} of {} is not one of {} to {}", level, codec, allowed.least,
         allowed.most);
}

std::optional<std::size_t> copy(std::span<const std::byte> in, std::span<std::byte> out) {
  if (in.size() > out.size()) return std::nullopt;
  std::copy(in.begin(), in.end(), out.begin());
  return in.size();
}

std::size_t unzstd(std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t bytes = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(bytes))
    fail(THALWEG_ERROR_STORAGE, "a zstd chunk of {} bytes cannot be decompressed into {} bytes: {}", in.size(),
         out.size(), ZSTD_getErrorName(bytes));
  return bytes;
}

const char* text_of(libdeflate_result result) {
  return result == LIBDEFLATE_INSUFFICIENT_SPACE ? "its content is longer" : "its content is damaged";
}

std::size_t inflate(std::span<const std::byte> in, std::span<std::byte> out) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (decompressor == nullptr) fail(THALWEG_ERROR_MEMORY, "no memory to decompress a deflate chunk");
  std::size_t bytes = 0;
  const libdeflate_result result =
      libdeflate_zlib_decompress(decompressor.get(), in.data(), in.size(), out.data(), out.size(), &bytes);
  if (result != LIBDEFLATE_SUCCESS)
    fail(THALWEG_ERROR_STORAGE, "a deflate chunk of {} bytes cannot be decompressed into {} bytes: {}", in.size(),
         out.size(), text_of(result));
  return bytes;
}

}  // namespace

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

void Compressor::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

std::optional<std::size_t> Compressor::zstd(int level, std::span<const std::byte> in, std::span<std::byte> out) {
  check_level("zstd", level, levels_of(Codec::zstd));
  if (zstd_ == nullptr) zstd_.reset(ZSTD_createCCtx());
  if (zstd_ == nullptr) fail(THALWEG_ERROR_MEMORY, "no memory to compress with zstd");
  const std::size_t bytes = ZSTD_compressCCtx(zstd_.get(), out.data(), out.size(), in.data(), in.size(), level);
  if (!ZSTD_isError(bytes)) return bytes;
  if (ZSTD_getErrorCode(bytes) == ZSTD_error_dstSize_tooSmall) return std::nullopt;
  fail(THALWEG_ERROR_MEMORY, "zstd could not compress a chunk of {} bytes at level {}: {}", in.size(), level,
       ZSTD_getErrorName(bytes));
}

libdeflate_compressor* Compressor::deflate_compressor(int level) {
  check_level("deflate", level, levels_of(Codec::deflate));
  if (deflate_ == nullptr || deflate_level_ != level) deflate_.reset(libdeflate_alloc_compressor(level));
  if (deflate_ == nullptr) fail(THALWEG_ERROR_MEMORY, "no memory to compress with deflate, level {}", level);
  deflate_level_ = level;
  return deflate_.get();
}

std::optional<std::size_t> Compressor::deflate(int level, std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t bytes =
      libdeflate_zlib_compress(deflate_compressor(level), in.data(), in.size(), out.data(), out.size());
  return bytes == 0 ? std::nullopt : std::optional(bytes);
}

std::optional<std::size_t> Compressor::deflate_without_frame(int level, std::span<const std::byte> in,
                                                             std::span<std::byte> out) {
  const std::size_t bytes =
      libdeflate_deflate_compress(deflate_compressor(level), in.data(), in.size(), out.data(), out.size());
  return bytes == 0 ? std::nullopt : std::optional(bytes);
}

std::optional<std::size_t> Compressor::compress(Codec codec, int level, std::span<const std::byte> in,
                                                std::span<std::byte> out) {
  switch (codec) {
    case Codec::none: return copy(in, out);
    case Codec::zstd: return zstd(level, in, out);
    case Codec::deflate: return deflate(level, in, out);
  }
  return std::nullopt;
}

std::size_t decompress(Codec codec, std::span<const std::byte> in, std::span<std::byte> out) {
  if (codec == Codec::zstd) return unzstd(in, out);
  if (codec == Codec::deflate) return inflate(in, out);
  const auto bytes = copy(in, out);
  if (!bytes) fail(THALWEG_ERROR_STORAGE, "a chunk of {} bytes does not fit into {} bytes", in.size(), out.size());
  return *bytes;
}

std::uint32_t adler32(std::span<const std::byte> in) {
  return libdeflate_adler32(1, in.data(), in.size());
}

std::size_t zstd_content_bytes(std::span<const std::byte> in) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(in.data(), in.size());
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes == ZSTD_CONTENTSIZE_ERROR)
    fail(THALWEG_ERROR_STORAGE, "a chunk of {} bytes is not a zstd frame that says how long its content is", in.size());
  return bytes;
}

}  // namespace thalweg::transform
