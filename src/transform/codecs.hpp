// Compressed chunks: what HDF5's deflate filter, its registered zstd filter (32015) and Zarr's zstd codec decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "config/settings.hpp"

struct ZSTD_CCtx_s;
struct libdeflate_compressor;

namespace thalweg::transform {

using config::Codec;

// The levels that a codec knows, from the fastest to the smallest result.
struct Levels {
  int least;
  int most;
};
constexpr Levels levels_of(Codec codec) {
  if (codec == Codec::zstd) return {1, 19};
  if (codec == Codec::deflate) return {1, 9};
  return {0, 0};
}

// Compresses chunk after chunk. Its working memory is had when it is first needed, and kept: one Compressor a thread.
class Compressor {
 public:
  // Compresses in into out: for zstd one frame that says how long its content is, for deflate a zlib stream, for none
  // a copy. Returns the bytes written, or nothing if they do not fit into out, whose content is undefined then: a
  // caller that stores chunks raw unless they shrink passes an out smaller than in.
  std::optional<std::size_t> compress(Codec codec, int level, std::span<const std::byte> in, std::span<std::byte> out);

  // The same, but the codec does not look at the first `stored` bytes, which the frame or stream holds as they are: for
  // bytes that it could not make smaller. Every decoder reads it, because both formats have blocks for that.
  std::optional<std::size_t> compress_behind(std::size_t stored, Codec codec, int level, std::span<const std::byte> in,
                                             std::span<std::byte> out);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
    void operator()(libdeflate_compressor* compressor) const;
  };

  std::optional<std::size_t> zstd(int level, std::span<const std::byte> in, std::span<std::byte> out);
  std::optional<std::size_t> deflate(int level, std::span<const std::byte> in, std::span<std::byte> out);
  std::optional<std::size_t> zstd_behind(std::size_t stored, int level, std::span<const std::byte> in,
                                         std::span<std::byte> out);
  std::optional<std::size_t> deflate_behind(std::size_t stored, int level, std::span<const std::byte> in,
                                            std::span<std::byte> out);
  std::optional<std::size_t> deflate_without_frame(int level, std::span<const std::byte> in, std::span<std::byte> out);
  libdeflate_compressor* deflate_compressor(int level);

  std::unique_ptr<ZSTD_CCtx_s, Free> zstd_;
  std::unique_ptr<libdeflate_compressor, Free> deflate_;  // of one level
  int deflate_level_ = 0;
};

// The inverse: returns the bytes written. Fails if in is damaged or its content does not fit into out.
std::size_t decompress(Codec codec, std::span<const std::byte> in, std::span<std::byte> out);

// The checksum at the end of a zlib stream.
std::uint32_t adler32(std::span<const std::byte> in);

// How long the content of a zstd frame is. Fails if in does not begin with a frame that says it.
std::size_t zstd_content_bytes(std::span<const std::byte> in);

}  // namespace thalweg::transform
