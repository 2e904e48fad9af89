#include "block/block_map.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "sanitized.hpp"

namespace thalweg::block {
namespace {

std::int64_t dot(const Index& a, const Index& b) {
  std::int64_t sum = 0;
  for (int d = 0; d < a.rank(); ++d) sum += a[d] * b[d];
  return sum;
}

Index cell(const Index& count, std::int64_t number) {
  Index index = count;
  for (int d = count.rank() - 1; d >= 0; --d) {
    index[d] = number % count[d];
    number /= count[d];
  }
  return index;
}

// File offset of each element's place in the block as its runs say; -1 where no run is.
std::vector<std::int64_t> file_offsets(const BlockMap& map, std::int64_t element) {
  std::vector<std::int64_t> offset(static_cast<std::size_t>(map.bytes / element), -1);
  EXPECT_EQ(map.bytes % element, 0);
  for (std::int64_t n = 0; n < map.run_count; ++n) {
    const Run run = map.run(n);
    EXPECT_EQ(run.block_offset % element, 0);
    EXPECT_EQ(run.bytes % element, 0);
    for (std::int64_t i = 0; i < run.bytes; i += element) {
      std::int64_t& place = offset.at(static_cast<std::size_t>((run.block_offset + i) / element));
      if (place != -1) ADD_FAILURE() << "two runs share a place of the block";
      place = run.file_offset + i;
    }
  }
  return offset;
}

// Every element of the region lies in the block where a run takes it to its place in the file; no two share a place.
void expect_elements_in_place(const BlockMap& map, const Index& file_shape, const Box& region, std::int64_t element) {
  auto offset = file_offsets(map, element);
  const Index file_stride = contiguous_strides(file_shape, element);
  std::int64_t last = 0;
  for (std::int64_t n = 0; n < region.cells(); ++n) {
    const Index local = cell(region.count, n);
    const std::int64_t in_file = dot(region.start, file_stride) + dot(local, file_stride);
    const std::int64_t in_block = dot(local, map.stride);
    last = std::max(last, in_block + element);
    std::int64_t& place = offset.at(static_cast<std::size_t>(in_block / element));
    if (in_block % element != 0 || place != in_file)
      FAIL() << to_string(local) << " of " << to_string(region) << " of " << to_string(file_shape);
    place = -1;  // a second element here would fail
  }
  EXPECT_EQ(map.bytes, last);
}

void expect_runs_congruent(const BlockMap& map) {
  for (int d = 0; d < map.run_loop.rank(); ++d)
    EXPECT_EQ((map.run_file_stride[d] - map.run_block_stride[d]) % page_bytes, 0);
  for (std::int64_t n = 0; n < map.run_count; ++n) {
    const Run run = map.run(n);
    EXPECT_EQ((run.file_offset - map.first_offset - run.block_offset) % page_bytes, 0);
  }
}

struct RandomArray {
  Index shape;
  Box region;
  std::int64_t element_bytes;
};

// Extents that are often full, often one, so that runs of all dimensionalities occur.
RandomArray random_array(std::mt19937_64& random, std::int64_t fastest) {
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  RandomArray array;
  const std::int64_t rank = draw(1, 4);
  array.element_bytes = std::int64_t{1} << draw(0, 3);
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::int64_t extent = d + 1 == rank ? draw(fastest / 2 + 1, fastest) : draw(1, 5);
    const std::int64_t start = draw(0, 1) * draw(0, (extent - 1) / 4);
    const std::int64_t most = extent - start;
    array.shape.push_back(extent);
    array.region.start.push_back(start);
    array.region.count.push_back(draw(0, 2) == 0 && d + 1 < rank ? 1
                                 : draw(0, 1) == 0               ? most
                                                                 : draw((most + 1) / 2, most));
  }
  return array;
}

TEST(BlockMap, of_a_scalar_is_one_run_of_one_element) {
  const BlockMap map = map_array({}, {}, 8);
  EXPECT_EQ(map.run_count, 1);
  EXPECT_EQ(map.bytes, 8);
  EXPECT_EQ(map.run(0).bytes, 8);
  EXPECT_EQ(map.first_offset, 0);
  EXPECT_EQ(map_chunks({}, 8, 0).run(0).bytes, 8);
}

TEST(BlockMap, of_an_empty_region_has_no_runs_and_no_bytes) {
  for (const BlockMap& map :
       {map_array({10, 10}, {{10, 0}, {0, 10}}, 4), map_chunks({{5, 5}, {2, 2}, {{0, 0}, {3, 0}}}, 4, 0)}) {
    EXPECT_EQ(map.run_count, 0);
    EXPECT_EQ(map.run_bytes, 0);
    EXPECT_EQ(map.bytes, 0);
    EXPECT_EQ(map.stride.rank(), 2);
  }
}

TEST(BlockMap, of_full_rows_is_one_run) {
  const BlockMap map = map_array({10, 20, 30}, {{2, 0, 0}, {5, 20, 30}}, 4);
  EXPECT_EQ(map.run_count, 1);
  EXPECT_EQ(map.run_bytes, 5 * 20 * 30 * 4);
  EXPECT_EQ(map.bytes, map.run_bytes);
  EXPECT_EQ(map.first_offset, 2 * 20 * 30 * 4);
  EXPECT_EQ(map.run_loop.rank(), 0);
}

TEST(BlockMap, of_one_level_is_one_run) {
  const BlockMap map = map_array({10, 20, 30}, {{3, 5, 0}, {1, 7, 30}}, 4);
  EXPECT_EQ(map.run_count, 1);
  EXPECT_EQ(map.run_bytes, 7 * 30 * 4);
  EXPECT_EQ(map.first_offset, (3 * 20 + 5) * 30 * 4);
}

TEST(BlockMap, packs_short_runs) {
  const BlockMap map = map_array({10, 20, 30}, {{0, 0, 10}, {10, 20, 8}}, 4);
  EXPECT_EQ(map.run_bytes, 32);
  EXPECT_EQ(map.run_count, 200);
  EXPECT_EQ(map.bytes, 10 * 20 * 8 * 4);
  EXPECT_EQ(map.stride, (Index{640, 32, 4}));
  EXPECT_EQ(map.run_file_stride, (Index{2400, 120}));
  EXPECT_EQ(map.run_block_stride, (Index{640, 32}));
}

TEST(BlockMap, packs_short_runs_of_large_blocks_too) {
  const BlockMap map = map_array({4, 1000, 1000}, {{0, 0, 0}, {4, 900, 500}}, 8);
  EXPECT_EQ(map.stride, (Index{900 * 4000, 4000, 8}));
}

TEST(BlockMap, keeps_long_runs_congruent_with_the_file) {
  // Rows of 100 of 200 x 1000 doubles: runs of 800000 bytes, 1600000 apart in the file.
  const BlockMap map = map_array({3, 200, 1000}, {{0, 100, 0}, {3, 100, 1000}}, 8);
  EXPECT_EQ(map.run_bytes, 800000);
  EXPECT_EQ(map.run_block_stride, (Index{800000 + 800000 % 4096}));
  EXPECT_EQ(map.bytes, 2 * (800000 + 800000 % 4096) + 800000);
  expect_runs_congruent(map);
}

TEST(BlockMap, aligns_from_the_least_direct_run_on) {
  const std::int64_t row = direct_run_bytes + 100;
  EXPECT_EQ(map_array({4, row}, {{0, 0}, {4, direct_run_bytes - 1}}, 1).stride[0], direct_run_bytes - 1);
  EXPECT_EQ(map_array({4, row}, {{0, 0}, {4, direct_run_bytes}}, 1).stride[0], row);
}

TEST(BlockMap, wastes_less_than_a_page_a_run) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 300; ++i) {
    const RandomArray array = random_array(random, 3 * direct_run_bytes);
    const BlockMap map = map_array(array.shape, array.region, array.element_bytes);
    const std::int64_t held = array.region.cells() * array.element_bytes;
    EXPECT_GE(map.bytes, held);
    EXPECT_LT(map.bytes, held + 2 * map.run_count * page_bytes);
  }
}

TEST(BlockMap, takes_every_element_to_its_place_in_the_file_with_short_runs) {
  std::mt19937_64 random(32);
  for (int i = 0; i < 300; ++i) {
    const RandomArray array = random_array(random, 12);
    expect_elements_in_place(map_array(array.shape, array.region, array.element_bytes), array.shape, array.region,
                             array.element_bytes);
  }
}

TEST(BlockMap, takes_every_element_to_its_place_in_the_file_with_long_runs) {
  std::mt19937_64 random(33);
  int aligned = 0;
  for (int i = 0; i < sanitized::fewer(300); ++i) {
    RandomArray array = random_array(random, 30000);
    if (array.region.cells() > 150000) continue;
    const BlockMap map = map_array(array.shape, array.region, array.element_bytes);
    expect_elements_in_place(map, array.shape, array.region, array.element_bytes);
    if (map.run_bytes < direct_run_bytes) continue;
    expect_runs_congruent(map);
    aligned += map.run_count > 1;
  }
  EXPECT_GE(aligned, sanitized::fewer(21)) << "the random arrays must give long runs, not " << aligned;
}

TEST(BlockMap, of_a_huge_variable_does_not_overflow) {
  const BlockMap map = map_array({100, 50000, 100000}, {{99, 49999, 99999}, {1, 1, 1}}, 8);
  EXPECT_EQ(map.first_offset, 100LL * 50000 * 100000 * 8 - 8);
}

// ---- chunks

TEST(ChunkMap, is_a_run_of_each_chunk_with_the_strides_inside_of_a_chunk) {
  const BlockMap map = map_chunks({{16, 40, 60}, {4, 10, 20}, {{8, 30, 40}, {8, 10, 20}}}, 4, 0);
  EXPECT_EQ(map.stride, (Index{800, 80, 4}));
  EXPECT_EQ(map.run_count, 2);
  EXPECT_EQ(map.run_bytes, 3200);
  EXPECT_EQ(map.run_block_stride, (Index{3200}));
  EXPECT_EQ(map.run_file_stride, (Index{0})) << "each chunk has a place of its own";
  EXPECT_EQ(map.first_offset, 0);
  EXPECT_EQ(map.bytes, 6400);
  EXPECT_EQ(map.run(1).block_offset, 3200);
  EXPECT_EQ(map.run(1).bytes, 3200);
}

TEST(ChunkMap, holds_whole_chunks_where_the_variable_ends_inside_of_one) {
  const BlockMap map = map_chunks({{5, 7}, {2, 4}, {{4, 0}, {1, 7}}}, 8, 0);
  EXPECT_EQ(map.run_count, 2);
  EXPECT_EQ(map.bytes, 2 * 2 * 4 * 8);
}

TEST(ChunkMap, packs_small_chunks) {
  EXPECT_EQ(map_chunks({{9}, {3}, {{0}, {9}}}, 1, 0).run_block_stride, (Index{3}));
  const std::int64_t most = direct_run_bytes - 1;
  EXPECT_EQ(map_chunks({{2 * most}, {most}, {{0}, {2 * most}}}, 1, 0).run_block_stride, (Index{most}));
}

TEST(ChunkMap, puts_large_chunks_on_pages) {
  const std::int64_t cells = direct_run_bytes / 4 + 1;
  const BlockMap map = map_chunks({{3 * cells}, {cells}, {{0}, {3 * cells}}}, 4, 0);
  EXPECT_EQ(map.run_bytes, direct_run_bytes + 4);
  EXPECT_EQ(map.run_block_stride, (Index{direct_run_bytes + page_bytes}));
  EXPECT_EQ(map.bytes, 3 * (direct_run_bytes + page_bytes));
}

TEST(ChunkMap, leaves_what_is_to_spare_behind_each_chunk) {
  const BlockMap small = map_chunks({{9}, {3}, {{0}, {9}}}, 1, 8);
  EXPECT_EQ(small.run_bytes, 3);
  EXPECT_EQ(small.run_block_stride, (Index{16})) << "a multiple of 8";
  const BlockMap large = map_chunks({{2 * direct_run_bytes}, {direct_run_bytes}, {{0}, {2 * direct_run_bytes}}}, 1, 8);
  EXPECT_EQ(large.run_bytes, direct_run_bytes);
  EXPECT_EQ(large.run_block_stride, (Index{direct_run_bytes + page_bytes}));
}

TEST(ChunkMap, keeps_chunks_apart_and_wastes_less_than_a_page_each) {
  std::mt19937_64 random(34);
  for (int i = 0; i < 300; ++i) {
    const RandomArray array = random_array(random, 40000);
    const std::int64_t spare_bytes = i % 2 * 8;
    const geometry::ChunkGrid grid{array.shape, array.region.count, whole(array.shape)};
    const BlockMap map = map_chunks(grid, array.element_bytes, spare_bytes);
    ASSERT_EQ(map.run_count, grid.size());
    ASSERT_EQ(map.run_bytes, array.region.cells() * array.element_bytes);
    for (std::int64_t n = 0; n < std::min<std::int64_t>(map.run_count, 10); ++n) {
      const auto run = map.run(n);
      ASSERT_EQ(run.file_offset, 0);
      ASSERT_EQ(run.block_offset, n * map.run_block_stride[0]);
      if (run.bytes >= direct_run_bytes) ASSERT_EQ(run.block_offset % page_bytes, 0);
    }
    ASSERT_GE(map.run_block_stride[0], map.run_bytes + spare_bytes);
    ASSERT_LT(map.run_block_stride[0], map.run_bytes + spare_bytes + page_bytes);
    ASSERT_EQ(map.bytes, map.run_count * map.run_block_stride[0]);
  }
}

}  // namespace
}  // namespace thalweg::block
