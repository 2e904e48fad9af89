#include "geometry/stretch_chunks.hpp"

#include <gtest/gtest.h>

#include <random>

#include "geometry/chunking.hpp"

namespace thalweg::geometry {
namespace {

// Chunk k of the grid holds the points k * n to (k + 1) * n - 1, in their order, and the last one what is left.
bool are_stretches(const Index& sizes, const Index& chunk) {
  const ChunkGrid grid{sizes, chunk, whole(sizes)};
  const Index stride = contiguous_strides(sizes, 1);
  std::int64_t next = 0;
  for (std::int64_t k = 0; k < grid.size(); ++k) {
    const Box box = grid.box(k);
    if (next != k * chunk.product()) return false;
    const Index inside = contiguous_strides(box.count, 1);
    for (std::int64_t cell = 0; cell < box.cells(); ++cell, ++next) {
      std::int64_t point = 0;
      for (int d = 0; d < box.rank(); ++d) point += (box.start[d] + cell / inside[d] % box.count[d]) * stride[d];
      if (point != next) return false;
    }
  }
  return next == sizes.product();
}

TEST(StretchChunks, are_whole_rows_of_the_slowest_dimension) {
  EXPECT_EQ(stretch_chunk({180, 360}, 45 * 360), (Index{45, 360}));
  EXPECT_EQ(stretch_chunk({180, 360}, 45 * 360 + 359), (Index{45, 360}));
  EXPECT_EQ(stretch_chunk({180, 360}, 180 * 360), (Index{180, 360}));
  EXPECT_EQ(stretch_chunk({180}, 7), (Index{7}));
}

TEST(StretchChunks, cut_a_row_where_it_is_too_long_and_divides) {
  EXPECT_EQ(stretch_chunk({6, 180, 360}, 50 * 360), (Index{1, 45, 360}));
  EXPECT_EQ(stretch_chunk({6, 180, 360}, 400 * 360), (Index{2, 180, 360}));
  EXPECT_EQ(stretch_chunk({1, 181}, 100), (Index{1, 100})) << "nothing is slower, so the last one may be less full";
  EXPECT_EQ(stretch_chunk({2, 181}, 100), (Index{1, 181})) << "a prime number of cells is cut into single ones or not";
}

TEST(StretchChunks, are_stretches_of_any_sizes) {
  std::mt19937_64 random(7);
  const auto draw = [&](std::int64_t most) { return 1 + static_cast<std::int64_t>(random() % most); };
  for (int round = 0; round < 3000; ++round) {
    Index sizes;
    for (std::int64_t rank = draw(4); rank > 0; --rank) sizes.push_back(draw(9));
    const std::int64_t points = draw(sizes.product());
    const Index chunk = stretch_chunk(sizes, points);
    EXPECT_TRUE(are_stretches(sizes, chunk)) << to_string(sizes) << " " << points << " " << to_string(chunk);
    EXPECT_EQ(stretch_chunk(sizes, chunk.product()).product(), chunk.product()) << "what is one stays as it is";
  }
}

TEST(StretchChunks, complete_what_is_said_of_some) {
  EXPECT_EQ(completed_stretch({180, 360}, {30, 0}), (Index{30, 360}));
  EXPECT_EQ(completed_stretch({180, 360}, {30, 360}), (Index{30, 360}));
  EXPECT_EQ(completed_stretch({180, 360}, {180, 0}), (Index{180, 360}));
  EXPECT_EQ(completed_stretch({6, 180, 360}, {1, 90, 0}), (Index{1, 90, 360}));
  EXPECT_EQ(completed_stretch({6, 180, 360}, {0, 90, 0}), (Index{1, 90, 360}));
  EXPECT_EQ(completed_stretch({180, 360}, {0, 360}), (Index{0, 360})) << "nothing is said of the rows";
}

TEST(StretchChunks, are_nothing_else) {
  EXPECT_EQ(completed_stretch({180, 360}, {30, 90}), std::nullopt);
  EXPECT_EQ(completed_stretch({180, 360}, {0, 100}), std::nullopt) << "of 360 not a whole number";
  EXPECT_EQ(completed_stretch({6, 180, 360}, {2, 90, 0}), std::nullopt);
}

TEST(StretchChunks, that_are_completed_are_stretches) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 3000; ++round) {
    Index sizes, said;
    for (int d = 0; d < 3; ++d) {
      sizes.push_back(1 + static_cast<std::int64_t>(random() % 8));
      said.push_back(std::min<std::int64_t>(sizes[d], static_cast<std::int64_t>(random() % 5)));
    }
    const std::optional<Index> chunk = completed_stretch(sizes, said);
    if (!chunk || std::ranges::count(*chunk, 0) > 0) continue;
    EXPECT_TRUE(are_stretches(sizes, *chunk)) << to_string(sizes) << " " << to_string(said);
  }
}

}  // namespace
}  // namespace thalweg::geometry
