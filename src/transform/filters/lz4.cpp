#include "transform/filters/lz4.hpp"

#include <lz4.h>

#include <limits>

#include "base/error.hpp"

namespace thalweg::transform {

std::size_t decode_lz4(std::span<const std::byte> in, std::span<std::byte> out) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  const int written =
      in.size() > most || out.size() > most
          ? -1
          : LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out.data()),
                                static_cast<int>(in.size()), static_cast<int>(out.size()));
  if (written < 0)
    fail(THALWEG_ERROR_STORAGE,
         "an lz4 block of {} bytes cannot be decompressed into {} bytes: it is damaged, or its content is longer",
         in.size(), out.size());
  return static_cast<std::size_t>(written);
}

}  // namespace thalweg::transform
