// Short vectors in the compiler's own notation, and the one thing it has no notation for: streaming stores.
//
// Everything here has internal linkage: the file is compiled once for each instruction set, and the linker must never
// put the code of one in the place of another. For the same reason nothing from the standard library is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace thalweg::transform {
namespace {

#if defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
constexpr int cache_line_bytes = 64;

template <typename T, int count>
struct VectorOf {
  typedef T type __attribute__((vector_size(count * sizeof(T))));
};
template <typename T, int count>
using Vector = typename VectorOf<T, count>::type;

template <typename T>
[[gnu::always_inline]] inline T load(const std::byte* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

template <typename T>
[[gnu::always_inline]] inline void store(std::byte* address, const T& value) {
  std::memcpy(address, &value, sizeof value);
}

// As many bytes as a vector register has; the elements in it are those of the target.
using Words = Vector<std::uint64_t, vector_bytes / 8>;

// Stores without first reading the cache line. address is a multiple of vector_bytes.
[[gnu::always_inline]] inline void stream(std::byte* address, Words words) {
#if defined(__AVX2__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(address), (__m256i)words);
#else
  store(address, words);
#endif
}

inline void complete_streams() {
#if defined(__AVX2__)
  _mm_sfence();
#endif
}

// Two half vectors as one.
template <typename Half>
[[gnu::always_inline]] inline Words joined(Half low, Half high) {
#if defined(__AVX2__)
  return (Words)_mm256_set_m128i((__m128i)high, (__m128i)low);
#else
  return Words{(std::uint64_t)low, (std::uint64_t)high};
#endif
}

// Reverses the bytes of each element: halves change places, then the halves of the halves.
template <int element_bytes>
[[gnu::always_inline]] inline Words reversed(Words words) {
#if defined(__AVX2__)
  Vector<std::uint8_t, vector_bytes> from{};
  for (int i = 0; i < vector_bytes; ++i) from[i] = static_cast<std::uint8_t>(i % 16 ^ (element_bytes - 1));
  return (Words)_mm256_shuffle_epi8((__m256i)words, (__m256i)from);
#else
  using Words32 = Vector<std::uint32_t, vector_bytes / 4>;
  using Words16 = Vector<std::uint16_t, vector_bytes / 2>;
  if constexpr (element_bytes >= 8) words = (words << 32) | (words >> 32);
  if constexpr (element_bytes >= 4) words = (Words)(((Words32)words << 16) | ((Words32)words >> 16));
  if constexpr (element_bytes >= 2) words = (Words)(((Words16)words << 8) | ((Words16)words >> 8));
  return words;
#endif
}

// Adds up neighbouring elements until every 64-bit word holds the sum of the elements that it held.
template <int element_bytes>
[[gnu::always_inline]] inline Words word_sums(Words words) {
  if constexpr (element_bytes == 1) words = (words & 0x00ff00ff00ff00ff) + ((words >> 8) & 0x00ff00ff00ff00ff);
  if constexpr (element_bytes <= 2) words = (words & 0x0000ffff0000ffff) + ((words >> 16) & 0x0000ffff0000ffff);
  if constexpr (element_bytes <= 4) words = (words & 0x00000000ffffffff) + (words >> 32);
  return words;
}

}  // namespace
}  // namespace thalweg::transform
