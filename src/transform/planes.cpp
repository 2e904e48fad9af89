#include "transform/planes.hpp"

#include <cstring>
#include <vector>

namespace thalweg::transform {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t smallest_plane = 128 * 1024;
constexpr std::size_t sample_pieces = 32;
constexpr std::size_t sample_share = 32;
constexpr std::size_t longest_piece = 2048;
constexpr std::size_t least_gain_share = 64;
constexpr std::size_t repeat_bytes = 256;

// Pieces from all over the plane, so that no part of it that compresses well, such as land, is overlooked unless small.
std::vector<std::byte> sample_of(Bytes plane) {
  const std::size_t piece = std::min(plane.size() / sample_share / sample_pieces, longest_piece);
  std::vector<std::byte> sample;
  sample.reserve(piece * sample_pieces);
  for (std::size_t i = 0; i < sample_pieces; ++i) {
    const Bytes part = plane.subspan(i * (plane.size() / sample_pieces), piece);
    sample.insert(sample.end(), part.begin(), part.end());
  }
  return sample;
}

bool shrinks(Compressor& compressor, Codec codec, int level, Bytes plane) {
  const std::vector<std::byte> sample = sample_of(plane);
  std::vector<std::byte> out(sample.size() - sample.size() / least_gain_share);
  return compressor.compress(codec, level, sample, out).has_value();
}

// A field that is the same on all levels is noise in every sample, but a codec finds it again.
bool repeats(Bytes plane) {
  const std::size_t middle = plane.size() / 2;
  const Bytes part = plane.subspan(middle, repeat_bytes);
  const auto has_part = [&](Bytes in) { return memmem(in.data(), in.size(), part.data(), part.size()) != nullptr; };
  return has_part(plane.first(middle + repeat_bytes - 1)) || has_part(plane.subspan(middle + 1));
}

}  // namespace

std::size_t noise_bytes(Compressor& compressor, Codec codec, int level, Bytes shuffled, std::size_t element_bytes) {
  const std::size_t plane = shuffled.size() / element_bytes;
  if (!codec || element_bytes < 2 || plane < smallest_plane) return 0;
  std::size_t noise = 0;
  for (; noise + plane <= shuffled.size(); noise += plane) {
    const Bytes next = shuffled.subspan(noise, plane);
    if (shrinks(compressor, codec, level, next) || repeats(next)) break;
  }
  return noise;
}

}  // namespace thalweg::transform
