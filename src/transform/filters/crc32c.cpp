// CRC-32C (Castagnoli), the checksum of Zarr's codec of that name.
#include <array>
#include <cstring>

#include "transform/filters.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace thalweg::transform {
namespace {

// The lowest bit first.

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

constinit const Filter crc32c_sum = {
    .description = {.name = "crc32c", .zarr = "crc32c"},
    .place = FilterPlace::checksum,
    .sum = crc32c,
    .zarr_json = [](const FilterCall&) { return std::string(R"({"name":"crc32c"})"); }};

}  // namespace thalweg::transform
