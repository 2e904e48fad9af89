// Which planes of shuffled bytes are noise.
#include "transform/planes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "random_bytes.hpp"

namespace thalweg::transform {
namespace {

using config::codec_named;

using sample::even_bytes;
using sample::random_bytes;
using Bytes = std::vector<std::byte>;

constexpr std::size_t plane = 300000;

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

class NoisePlanes : public testing::TestWithParam<Codec> {
 protected:
  std::size_t noise_in(const Bytes& shuffled, std::size_t element_bytes) {
    return noise_bytes(compressor_, GetParam(), 3, shuffled, element_bytes);
  }

  Compressor compressor_;
};

INSTANTIATE_TEST_SUITE_P(All, NoisePlanes, testing::Values(codec_named("zstd"), codec_named("deflate")));

TEST_P(NoisePlanes, are_found_up_to_the_first_that_shrinks) {
  const Bytes noise = random_bytes(plane), more = random_bytes(plane, 2), even = even_bytes(plane);
  EXPECT_EQ(noise_in(joined({noise, even, even, even}), 4), plane);
  EXPECT_EQ(noise_in(joined({noise, more, even, even}), 4), 2 * plane);
  EXPECT_EQ(noise_in(joined({even, noise, more, even}), 4), 0);
  EXPECT_EQ(noise_in(joined({noise, more}), 2), 2 * plane);
  EXPECT_EQ(noise_in(joined({noise, even, Bytes(1)}), 2), plane) << "with a byte that is no whole element";
}

TEST_P(NoisePlanes, are_not_those_with_a_part_that_shrinks) {
  const std::size_t part = plane / 16;
  for (std::size_t begin = 0; begin + part <= plane; begin += part / 3) {
    Bytes land = random_bytes(plane);
    std::fill_n(land.begin() + static_cast<std::ptrdiff_t>(begin), part, std::byte{0});
    ASSERT_EQ(noise_in(joined({land, even_bytes(plane)}), 2), 0) << begin;
  }
}

TEST_P(NoisePlanes, are_not_those_of_a_field_that_repeats) {
  for (const std::size_t period : {1000, 70000, 149000}) {
    const Bytes level = random_bytes(period);
    Bytes all;
    while (all.size() < plane) all.insert(all.end(), level.begin(), level.end());
    all.resize(plane);
    EXPECT_EQ(noise_in(joined({all, even_bytes(plane)}), 2), 0) << period;
  }
}

TEST_P(NoisePlanes, are_not_looked_for_where_there_is_little_to_gain) {
  EXPECT_EQ(noise_in(random_bytes(4 * 100000), 4), 0);
  EXPECT_EQ(noise_in(random_bytes(plane), 1), 0);
  EXPECT_EQ(noise_in({}, 8), 0);
}

TEST_P(NoisePlanes, are_few_bits_short_of_noise_at_most) {
  Bytes seven_bits = random_bytes(plane);
  for (std::byte& byte : seven_bits) byte &= std::byte{0x7f};
  EXPECT_EQ(noise_in(joined({seven_bits, even_bytes(plane)}), 2), 0);
}

}  // namespace
}  // namespace thalweg::transform
