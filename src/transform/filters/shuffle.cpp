#include <algorithm>
#include <array>
#include <cstring>

#include "transform/filters.hpp"

namespace thalweg::transform {
namespace {

using Bytes16 = std::uint8_t __attribute__((vector_size(16)));
constexpr std::size_t group = 16;  // elements that are transposed at once: one vector for each byte of an element

template <std::size_t element_bytes>
using Group = std::array<Bytes16, element_bytes>;

// Interleaves the bytes of the first half of a group with those of the second half. Seen as a permutation, it rotates
// the bits of each byte's address in the group to the left by one. An address is made of the bits of the element's
// number and the bits of the byte's number in it; a transposition makes these two change places, which is a rotation
// by as many bits as the one or the other has.
template <std::size_t element_bytes>
[[gnu::always_inline]] inline Group<element_bytes> interleaved(const Group<element_bytes>& in) {
  Group<element_bytes> out;
  for (std::size_t i = 0; i < element_bytes / 2; ++i) {
    const Bytes16 a = in[i], b = in[i + element_bytes / 2];
    out[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    out[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
  return out;
}

template <int rotations, std::size_t element_bytes>
[[gnu::always_inline]] inline Group<element_bytes> rotated(const Group<element_bytes>& in) {
  if constexpr (rotations == 0)
    return in;
  else
    return rotated<rotations - 1>(interleaved(in));
}

constexpr int bits_of(std::size_t power_of_two) {
  return power_of_two == 1 ? 0 : 1 + bits_of(power_of_two / 2);
}

// Loads a group whose vectors lie step bytes apart.
template <std::size_t element_bytes>
[[gnu::always_inline]] inline Group<element_bytes> load(const std::byte* in, std::size_t step) {
  Group<element_bytes> vectors;
  for (std::size_t i = 0; i < element_bytes; ++i) std::memcpy(&vectors[i], in + i * step, group);
  return vectors;
}

template <std::size_t element_bytes>
[[gnu::always_inline]] inline void store(const Group<element_bytes>& vectors, std::byte* out, std::size_t step) {
  for (std::size_t i = 0; i < element_bytes; ++i) std::memcpy(out + i * step, &vectors[i], group);
}

// Transposes all whole groups and returns how many elements these hold.
template <std::size_t element_bytes>
std::size_t shuffle_groups(const std::byte* in, std::size_t elements, std::byte* out) {
  const std::size_t whole = elements / group * group;
  for (std::size_t i = 0; i < whole; i += group)
    store(rotated<bits_of(group)>(load<element_bytes>(in + i * element_bytes, group)), out + i, elements);
  return whole;
}

template <std::size_t element_bytes>
std::size_t unshuffle_groups(const std::byte* in, std::size_t elements, std::byte* out) {
  const std::size_t whole = elements / group * group;
  for (std::size_t i = 0; i < whole; i += group)
    store(rotated<bits_of(element_bytes)>(load<element_bytes>(in + i, elements)), out + i * element_bytes, group);
  return whole;
}

std::size_t shuffle_groups(const std::byte* in, std::size_t element_bytes, std::size_t elements, std::byte* out) {
  switch (element_bytes) {
    case 2: return shuffle_groups<2>(in, elements, out);
    case 4: return shuffle_groups<4>(in, elements, out);
    case 8: return shuffle_groups<8>(in, elements, out);
    default: return 0;
  }
}

std::size_t unshuffle_groups(const std::byte* in, std::size_t element_bytes, std::size_t elements, std::byte* out) {
  switch (element_bytes) {
    case 2: return unshuffle_groups<2>(in, elements, out);
    case 4: return unshuffle_groups<4>(in, elements, out);
    case 8: return unshuffle_groups<8>(in, elements, out);
    default: return 0;
  }
}

}  // namespace

void shuffle(std::span<const std::byte> in, std::size_t element_bytes, std::byte* out) {
  const std::size_t elements = element_bytes > 1 ? in.size() / element_bytes : 0;
  const std::size_t done = shuffle_groups(in.data(), element_bytes, elements, out);
  for (std::size_t byte = 0; byte < element_bytes; ++byte)
    for (std::size_t i = done; i < elements; ++i) out[byte * elements + i] = in[i * element_bytes + byte];
  std::copy(in.begin() + static_cast<std::ptrdiff_t>(elements * element_bytes), in.end(),
            out + elements * element_bytes);
}

void unshuffle(std::span<const std::byte> in, std::size_t element_bytes, std::byte* out) {
  const std::size_t elements = element_bytes > 1 ? in.size() / element_bytes : 0;
  const std::size_t done = unshuffle_groups(in.data(), element_bytes, elements, out);
  for (std::size_t byte = 0; byte < element_bytes; ++byte)
    for (std::size_t i = done; i < elements; ++i) out[i * element_bytes + byte] = in[byte * elements + i];
  std::copy(in.begin() + static_cast<std::ptrdiff_t>(elements * element_bytes), in.end(),
            out + elements * element_bytes);
}

constinit const Filter shuffling = {
    .description = {.name = "shuffle", .hdf5_filter = 2, .is_in_hdf5 = true},  // (source: H5Z_FILTER_SHUFFLE)
    .place = FilterPlace::order,
    .bound = [](const FilterCall&, std::size_t bytes) { return bytes; },
    .encode = [](const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out,
                 WorkingMemory&) -> std::optional<std::size_t> {
      shuffle(in, call.element_bytes, out.data());
      return in.size();
    },
    .decode =
        [](const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out) {
          unshuffle(in, call.element_bytes, out.data());
          return in.size();
        }};

}  // namespace thalweg::transform
