// The checksum of HDF5's filter of that name.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "transform/filters.hpp"

namespace thalweg::transform {
namespace {

// Two sums over 16-bit words: of the words, and of the first sum after each word. Both are reduced by
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

constinit const Filter fletcher32_sum = {
    .description = {.name = "fletcher32",
                    .hdf5_filter = 3,  // (source: H5Z_FILTER_FLETCHER32 in H5Zpublic.h)
                    .is_in_hdf5 = true},
    .place = FilterPlace::checksum,
    .sum = fletcher32};

}  // namespace thalweg::transform
