#include "geometry/chunking.hpp"

#include <gtest/gtest.h>

#include <set>

#include "geometry/layout.hpp"
#include "random_decomposition.hpp"

namespace thalweg::geometry {
namespace {

using namespace testing;

TEST(ChooseChunk, takes_the_whole_domain_while_it_is_small) {
  EXPECT_EQ(choose_chunk({10, 20}, {0, 0}, 8), (Index{10, 20}));
  EXPECT_EQ(choose_chunk({}, {}, 8), Index{});
  EXPECT_EQ(choose_chunk({1 << 20}, {0}, 8), (Index{1 << 20})) << "exactly the most";
}

TEST(ChooseChunk, cuts_the_slowest_dimension_first_and_evenly) {
  EXPECT_EQ(choose_chunk({50, 1024, 1024}, {0, 0, 0}, 4), (Index{2, 1024, 1024}));
  EXPECT_EQ(choose_chunk({11, 512, 512}, {0, 0, 0}, 8), (Index{4, 512, 512})) << "three parts of at most four";
  EXPECT_EQ(choose_chunk({3, 4096, 1024}, {0, 0, 0}, 8), (Index{1, 1024, 1024}));
  EXPECT_EQ(choose_chunk({(1 << 20) + 1}, {0}, 8), (Index{(1 << 19) + 1}));
}

TEST(ChooseChunk, leaves_little_of_the_last_chunk_empty) {
  EXPECT_EQ(choose_chunk({50, 360, 720}, {0, 0, 0}, 4), (Index{5, 360, 720})) << "eight fit, and 7 x 8 are 56";
  EXPECT_EQ(choose_chunk({7, 512, 1024}, {0, 0, 0}, 8), (Index{1, 512, 1024})) << "two fit, and 4 x 2 are 8";
  EXPECT_EQ(choose_chunk({13, 512, 1024}, {0, 0, 0}, 2), (Index{7, 512, 1024})) << "eight fit, and 2 x 7 are 14";
}

TEST(ChooseChunk, takes_what_is_wanted_whatever_its_size) {
  EXPECT_EQ(choose_chunk({50, 1024, 1024}, {10, 0, 0}, 4), (Index{10, 171, 1024}));
  EXPECT_EQ(choose_chunk({50, 4096, 4096}, {50, 4096, 4096}, 8), (Index{50, 4096, 4096}));
  EXPECT_EQ(choose_chunk({50, 10, 10}, {0, 0, 3}, 8), (Index{50, 10, 3}));
  EXPECT_EQ(choose_chunk({10}, {25}, 8), (Index{25})) << "chunks may be larger than an I/O domain";
}

TEST(ChooseChunk, stays_below_its_size_wherever_it_may) {
  Random random(51);
  for (int i = 0; i < 2000; ++i) {
    const int rank = static_cast<int>(draw(random, 1, 4));
    const std::int64_t element_bytes = std::int64_t{1} << draw(random, 0, 3);
    Index extent, wanted;
    for (int d = 0; d < rank; ++d) {
      extent.push_back(draw(random, 1, 3000) >> draw(random, 0, 8));
      extent[d] = std::max<std::int64_t>(extent[d], 1) * (d + 1 == rank ? 1000 : 1);
      wanted.push_back(draw(random, 0, 3) == 0 ? draw(random, 1, std::min<std::int64_t>(extent[d], 50)) : 0);
    }
    const Index chunk = choose_chunk(extent, wanted, element_bytes);
    std::int64_t least_bytes = element_bytes;
    for (int d = 0; d < rank; ++d) {
      ASSERT_GE(chunk[d], 1);
      ASSERT_LE(chunk[d], extent[d]);
      if (wanted[d] > 0) ASSERT_EQ(chunk[d], wanted[d]);
      least_bytes *= std::max<std::int64_t>(wanted[d], 1);
    }
    if (least_bytes <= most_chunk_bytes) ASSERT_LE(chunk.product() * element_bytes, most_chunk_bytes);
    // A free dimension is cut only if the slower free ones are one cell already.
    for (int d = 1; d < rank; ++d)
      if (wanted[d] == 0 && chunk[d] < extent[d])
        for (int slower = 0; slower < d; ++slower)
          if (wanted[slower] == 0) ASSERT_EQ(chunk[slower], 1) << to_string(extent) << " in " << to_string(chunk);
  }
}

// A variable, its chunks, and a region of some of them.
ChunkGrid random_grid(Random& random) {
  ChunkGrid grid;
  grid.shape = random_shape(random);
  for (int d = 0; d < grid.shape.rank(); ++d) {
    grid.chunk.push_back(draw(random, 1, grid.shape[d]));
    const std::int64_t chunks = (grid.shape[d] + grid.chunk[d] - 1) / grid.chunk[d];
    const std::int64_t first = draw(random, 0, chunks - 1);
    const std::int64_t end = draw(random, first + 1, chunks);
    grid.region.start.push_back(first * grid.chunk[d]);
    grid.region.count.push_back(std::min(end * grid.chunk[d], grid.shape[d]) - grid.region.start[d]);
  }
  return grid;
}

TEST(ChunkGrid, covers_each_cell_of_its_region_once) {
  Random random(52);
  for (int i = 0; i < cases; ++i) {
    const ChunkGrid grid = random_grid(random);
    const ChunkGrid all{grid.shape, grid.chunk, whole(grid.shape)};
    CellCount count(grid.shape);
    std::int64_t cells = 0;
    for (std::int64_t k = 0; k < all.size(); ++k) count.add(all.box(k));
    ASSERT_TRUE(count.all(1));
    for (std::int64_t k = 0; k < grid.size(); ++k) {
      const Box box = grid.box(k);
      ASSERT_FALSE(box.empty());
      ASSERT_EQ(intersect(box, grid.region), box);
      for (int d = 0; d < box.rank(); ++d) {
        ASSERT_EQ(box.start[d] % grid.chunk[d], 0);
        ASSERT_TRUE(box.count[d] == grid.chunk[d] || box.stop(d) == grid.shape[d]);
      }
      cells += box.cells();
    }
    ASSERT_EQ(cells, grid.region.cells());
  }
}

TEST(ChunkGrid, numbers_chunks_as_the_whole_variable_does) {
  Random random(53);
  for (int i = 0; i < cases; ++i) {
    const ChunkGrid grid = random_grid(random);
    const ChunkGrid all{grid.shape, grid.chunk, whole(grid.shape)};
    std::set<std::int64_t> numbers;
    for (std::int64_t k = 0; k < grid.size(); ++k) {
      ASSERT_EQ(all.box(grid.number(k)), grid.box(k));
      ASSERT_TRUE(numbers.insert(grid.number(k)).second);
    }
    for (std::int64_t k = 0; k < all.size(); ++k) ASSERT_EQ(all.number(k), k);
  }
}

TEST(ChunkGrid, names_exactly_the_chunks_that_touch_a_box) {
  Random random(54);
  for (int i = 0; i < cases; ++i) {
    const ChunkGrid grid = random_grid(random);
    const auto box = intersect(random_box(random, grid.shape), grid.region);
    if (!box) continue;
    std::vector<std::int64_t> touching;
    for (std::int64_t k = 0; k < grid.size(); ++k)
      if (intersect(grid.box(k), *box)) touching.push_back(k);
    ASSERT_EQ(grid.touching(*box), touching) << to_string(*box);
  }
}

TEST(ChunkGrid, of_a_scalar_is_one_chunk_of_one_cell) {
  const ChunkGrid grid{{}, {}, {}};
  EXPECT_EQ(grid.size(), 1);
  EXPECT_EQ(grid.number(0), 0);
  EXPECT_EQ(grid.box(0).cells(), 1);
  EXPECT_EQ(grid.touching({}), std::vector<std::int64_t>{0});
}

TEST(ChunkedLayout, cuts_at_multiples_of_the_chunk) {
  Random random(55);
  for (int i = 0; i < cases; ++i) {
    const Index shape = random_shape(random);
    const Index domains = random_domains(random, shape);
    Index chunk;
    for (const std::int64_t extent : shape) chunk.push_back(draw(random, 1, extent));
    const Layout layout = Layout::chunked(shape, domains, chunk);
    CellCount count(shape);
    for (int n = 0; n < layout.domain_count(); ++n) {
      const Box box = layout.domain(n);
      count.add(box);
      for (int d = 0; d < shape.rank(); ++d) {
        ASSERT_EQ(box.start[d] % chunk[d], 0);
        ASSERT_TRUE(box.stop(d) % chunk[d] == 0 || box.stop(d) == shape[d]);
      }
    }
    ASSERT_TRUE(count.all(1));
    for (int d = 0; d < shape.rank(); ++d) ASSERT_LE(layout.domains()[d], domains[d]);
  }
}

}  // namespace
}  // namespace thalweg::geometry
