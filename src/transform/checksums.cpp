#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "transform/filters.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace thalweg::transform {
namespace {

// --- Fletcher-32. Two sums over 16-bit words: of the words, and of the first sum after each word. Both are reduced by
// adding the carry to the low 16 bits; so they are residues modulo 65535 in which 0 stands for no bit set at all and
// 65535 for every other multiple. They may be reduced whenever it is convenient.

constexpr std::size_t lanes = 16;
constexpr std::size_t block_steps = 360;  // the most for which a lane's second sum fits into 32 bits

std::uint64_t reduced(std::uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

struct Sums {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  // The words that follow, as many as there are in whole lanes. Lane k sees every 16th word; its sums, weighted by how
  // far its words are from the end, make up the sums over all words.
  void add_lanes(const std::byte* bytes, std::size_t steps) {
    std::array<std::uint32_t, lanes> sum{}, sum_of_sums{};
    for (std::size_t step = 0; step < steps; ++step) {
      std::array<std::uint16_t, lanes> words;
      std::memcpy(words.data(), bytes + step * sizeof words, sizeof words);
      for (std::size_t k = 0; k < lanes; ++k) {
        sum[k] += words[k];
        sum_of_sums[k] += sum[k];
      }
    }
    second += first * (lanes * steps);
    for (std::size_t k = 0; k < lanes; ++k) {
      first += sum[k];
      second += lanes * std::uint64_t{sum_of_sums[k]} - k * std::uint64_t{sum[k]};
    }
    first = reduced(first);
    second = reduced(second);
  }

  // The last bytes, fewer than all lanes take. A last odd byte is the first of a word.
  void add_rest(std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      std::uint16_t word = 0;
      std::memcpy(&word, &bytes[i], std::min<std::size_t>(2, bytes.size() - i));
      first += word;
      second += first;
    }
  }
};

// --- CRC-32C, the lowest bit first.

constexpr std::uint32_t polynomial = 0x82f63b78;

// tables[k][b]: what byte b adds to the remainder once k more bytes have followed it.
constexpr std::array<std::array<std::uint32_t, 256>, 8> make_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ (remainder & 1 ? polynomial : 0);
    tables[0][byte] = remainder;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}

constexpr auto tables = make_tables();

std::uint32_t follow(std::uint32_t remainder, std::byte byte) {
  return (remainder >> 8) ^ tables[0][(remainder ^ static_cast<std::uint32_t>(byte)) & 0xff];
}

std::uint32_t follow_eight(std::uint32_t remainder, const std::byte* bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint32_t mixed = i < 4 ? remainder >> (8 * i) : 0;
    sum ^= tables[7 - i][(mixed ^ static_cast<std::uint32_t>(bytes[i])) & 0xff];
  }
  return sum;
}

#if defined(__x86_64__)
// The instruction gives its result after three cycles, but may begin in each: three stretches are followed at once.
constexpr std::size_t stretch_bytes = 4096;

// What the remainder becomes when a stretch of zeros follows: linear, so a sum over its bytes. beyond[k][b]: of byte b
// at place k.
using Beyond = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr Beyond make_beyond() {
  std::array<std::uint32_t, 32> of_bit{};
  for (std::size_t bit = 0; bit < 32; ++bit) {
    std::uint32_t remainder = std::uint32_t{1} << bit;
    for (std::size_t i = 0; i < stretch_bytes; ++i) remainder = (remainder >> 8) ^ tables[0][remainder & 0xff];
    of_bit[bit] = remainder;
  }
  Beyond beyond{};
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t bit = 0; bit < 8; ++bit)
        if ((byte >> bit & 1) != 0) beyond[k][byte] ^= of_bit[8 * k + bit];
  return beyond;
}

constexpr Beyond beyond = make_beyond();

std::uint64_t followed_by_a_stretch(std::uint64_t remainder) {
  return beyond[0][remainder & 0xff] ^ beyond[1][remainder >> 8 & 0xff] ^ beyond[2][remainder >> 16 & 0xff] ^
         beyond[3][remainder >> 24 & 0xff];
}

std::uint64_t word_at(const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

[[gnu::target("sse4.2")]] std::uint64_t follow_three_stretches(std::uint64_t remainder, const std::byte* bytes) {
  std::uint64_t second = 0, third = 0;
  for (std::size_t i = 0; i < stretch_bytes; i += 8) {
    remainder = _mm_crc32_u64(remainder, word_at(bytes + i));
    second = _mm_crc32_u64(second, word_at(bytes + stretch_bytes + i));
    third = _mm_crc32_u64(third, word_at(bytes + 2 * stretch_bytes + i));
  }
  return followed_by_a_stretch(followed_by_a_stretch(remainder) ^ second) ^ third;
}

[[gnu::target("sse4.2")]] std::uint32_t crc32c_by_instruction(std::span<const std::byte> bytes) {
  std::uint64_t remainder = 0xffffffff;
  std::size_t i = 0;
  for (; i + 3 * stretch_bytes <= bytes.size(); i += 3 * stretch_bytes)
    remainder = follow_three_stretches(remainder, &bytes[i]);
  for (; i + 8 <= bytes.size(); i += 8) remainder = _mm_crc32_u64(remainder, word_at(&bytes[i]));
  auto rest = static_cast<std::uint32_t>(remainder);
  for (; i < bytes.size(); ++i) rest = _mm_crc32_u8(rest, static_cast<std::uint8_t>(bytes[i]));
  return ~rest;
}
#endif

}  // namespace

std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  Sums sums;
  while (bytes.size() >= 2 * lanes) {
    const std::size_t steps = std::min(bytes.size() / (2 * lanes), block_steps);
    sums.add_lanes(bytes.data(), steps);
    bytes = bytes.subspan(steps * 2 * lanes);
  }
  sums.add_rest(bytes);
  // HDF5's words are big-endian. Modulo 65535, the bytes of a word change places when it is multiplied by 256.
  constexpr std::uint64_t order = std::endian::native == std::endian::little ? 256 : 1;
  return static_cast<std::uint32_t>(reduced(reduced(sums.second) * order) << 16 | reduced(reduced(sums.first) * order));
}

std::uint32_t crc32c_by_table(std::span<const std::byte> bytes) {
  std::uint32_t remainder = 0xffffffff;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) remainder = follow_eight(remainder, &bytes[i]);
  for (; i < bytes.size(); ++i) remainder = follow(remainder, bytes[i]);
  return ~remainder;
}

std::uint32_t crc32c(std::span<const std::byte> bytes) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc32c_by_instruction(bytes);
#endif
  return crc32c_by_table(bytes);
}

}  // namespace thalweg::transform
