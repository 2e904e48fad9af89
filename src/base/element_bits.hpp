// The bits of elements in memory: their sum, and their byte order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace thalweg {

namespace detail {

template <typename Word>
std::uint64_t sum_of_words(std::span<const std::byte> elements) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + sizeof(Word) <= elements.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, elements.data() + i, sizeof word);
    sum += word;
  }
  return sum;
}

}  // namespace detail

// The wrapping 64-bit sum over all elements of their bits, each zero-extended; in host order. The same checksum as that
// of transform::copy_box: it does not depend on how a field is cut.
inline std::uint64_t bit_sum(std::span<const std::byte> elements, std::size_t element_bytes) {
  switch (element_bytes) {
    case 1: return detail::sum_of_words<std::uint8_t>(elements);
    case 2: return detail::sum_of_words<std::uint16_t>(elements);
    case 4: return detail::sum_of_words<std::uint32_t>(elements);
    default: return detail::sum_of_words<std::uint64_t>(elements);
  }
}

// Turns host order into big-endian order, and back. This library runs on little-endian machines only.
inline void swap_bytes(std::span<std::byte> elements, std::size_t element_bytes) {
  if (element_bytes == 1) return;
  for (std::size_t i = 0; i + element_bytes <= elements.size(); i += element_bytes)
    std::reverse(elements.data() + i, elements.data() + i + element_bytes);
}

}  // namespace thalweg
