#include "formats/netcdf4/superblock.hpp"

#include <bit>
#include <cstring>

#include "base/little_endian.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

// "Superblock" of the HDF5 file format specification, with addresses of 8 bytes.
constexpr std::array signature = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
constexpr std::size_t version_at = 8, address_bytes_at = 9, base_at = 12, end_at = 28, checksum_at = 44;

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t place) {
  return static_cast<std::uint32_t>(little_endian(bytes.subspan(place, 4)));
}

// HDF5's checksum of metadata, Bob Jenkins' lookup3, of a whole number of words.
std::uint32_t checksum(std::span<const std::byte> bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size());
  std::uint32_t b = a, c = a;
  const auto mix = [](std::uint32_t& one, std::uint32_t& other, std::uint32_t third, int bits) {
    one -= third;
    one ^= std::rotl(third, bits);
    third += other;
    return third;
  };
  const auto finish = [](std::uint32_t& one, std::uint32_t other, int bits) {
    one ^= other;
    one -= std::rotl(other, bits);
  };
  std::size_t place = 0;
  for (; bytes.size() - place > 12; place += 12) {
    a += word_at(bytes, place);
    b += word_at(bytes, place + 4);
    c += word_at(bytes, place + 8);
    c = mix(a, b, c, 4);
    a = mix(b, c, a, 6);
    b = mix(c, a, b, 8);
    c = mix(a, b, c, 16);
    a = mix(b, c, a, 19);
    b = mix(c, a, b, 4);
  }
  const std::size_t left = bytes.size() - place;
  if (left > 0) a += word_at(bytes, place);
  if (left > 4) b += word_at(bytes, place + 4);
  if (left > 8) c += word_at(bytes, place + 8);
  finish(c, b, 14);
  finish(a, c, 11);
  finish(b, a, 25);
  finish(c, b, 16);
  finish(a, c, 4);
  finish(b, a, 14);
  finish(c, b, 24);
  return c;
}

std::uint32_t checksum_of(const Superblock& bytes) {
  return checksum(std::span(bytes).first(checksum_at));
}

}  // namespace

bool is_superblock(const Superblock& bytes) {
  const bool is_known = bytes[version_at] == std::byte{2} || bytes[version_at] == std::byte{3};
  const bool has_base = word_at(bytes, base_at) != 0 || word_at(bytes, base_at + 4) != 0;
  return std::memcmp(bytes.data(), signature.data(), signature.size()) == 0 && is_known &&
         bytes[address_bytes_at] == std::byte{8} && !has_base && word_at(bytes, checksum_at) == checksum_of(bytes);
}

void set_file_bytes(Superblock& bytes, std::int64_t file_bytes) {
  put_little_endian(bytes.data() + end_at, static_cast<std::uint64_t>(file_bytes), 8);
  put_little_endian(bytes.data() + checksum_at, checksum_of(bytes), 4);
}

}  // namespace thalweg::formats::netcdf4
