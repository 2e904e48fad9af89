// The bits of elements in memory: their sum, and their byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>

#include "base/types.hpp"

namespace thalweg {

namespace detail {

template <typename Word, typename Order = std::identity>
std::uint64_t sum_of_words(std::span<const std::byte> elements, Order order = {}) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + sizeof(Word) <= elements.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, elements.data() + i, sizeof word);
    sum += order(word);
  }
  return sum;
}

template <typename Word, typename Swap>
void swap_words(std::span<std::byte> elements, Swap swap) {
  for (std::size_t i = 0; i + sizeof(Word) <= elements.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, elements.data() + i, sizeof word);
    word = swap(word);
    std::memcpy(elements.data() + i, &word, sizeof word);
  }
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

// The same of elements in the other byte order.
inline std::uint64_t bit_sum_of_swapped(std::span<const std::byte> elements, std::size_t element_bytes) {
  switch (element_bytes) {
    case 1: return detail::sum_of_words<std::uint8_t>(elements);
    case 2: return detail::sum_of_words<std::uint16_t>(elements, [](std::uint16_t w) { return __builtin_bswap16(w); });
    case 4: return detail::sum_of_words<std::uint32_t>(elements, [](std::uint32_t w) { return __builtin_bswap32(w); });
    default: return detail::sum_of_words<std::uint64_t>(elements, [](std::uint64_t w) { return __builtin_bswap64(w); });
  }
}

// The same of one element, given in host order.
inline std::uint64_t bits_of(const Element& element, Type type) {
  return bit_sum(std::span<const std::byte>(element).first(size_of(type)), size_of(type));
}

// Turns host order into big-endian order, and back. This library runs on little-endian machines only.
inline void swap_bytes(std::span<std::byte> elements, std::size_t element_bytes) {
  switch (element_bytes) {
    case 1: return;
    case 2: return detail::swap_words<std::uint16_t>(elements, [](std::uint16_t w) { return __builtin_bswap16(w); });
    case 4: return detail::swap_words<std::uint32_t>(elements, [](std::uint32_t w) { return __builtin_bswap32(w); });
    default: return detail::swap_words<std::uint64_t>(elements, [](std::uint64_t w) { return __builtin_bswap64(w); });
  }
}

}  // namespace thalweg
