// What lies behind the variable's edge in its last chunks.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "block/planned_block.hpp"

namespace thalweg::block {
namespace {

// How often each element of the block is in a hole.
std::vector<int> times_filled(const PlannedBlock& block, std::int64_t element_bytes) {
  std::vector<int> times(static_cast<std::size_t>(block.map.bytes / element_bytes));
  for (const HoleFill& hole : block.holes)
    for (std::int64_t i = 0; i < hole.count.product(); ++i) {
      std::int64_t offset = hole.offset;
      std::int64_t rest = i;
      for (int d = hole.count.rank() - 1; d >= 0; --d) {
        offset += rest % hole.count[d] * block.map.stride[d];
        rest /= hole.count[d];
      }
      ++times.at(static_cast<std::size_t>(offset / element_bytes));
    }
  return times;
}

void expect_cells_or_padding(const geometry::ChunkGrid& grid, std::int64_t element_bytes, std::int64_t spare_bytes) {
  PlannedBlock block;
  block.chunks = grid;
  block.map = map_chunks(grid, element_bytes, spare_bytes);
  add_padding(block);
  std::vector<int> times = times_filled(block, element_bytes);
  for (std::int64_t k = 0; k < grid.size(); ++k) {
    const Box box = grid.box(k);
    for (std::int64_t i = 0; i < grid.chunk.product(); ++i) {
      std::int64_t rest = i;
      bool inside = true;
      for (int d = grid.chunk.rank() - 1; d >= 0; --d) {
        inside = inside && rest % grid.chunk[d] < box.count[d];
        rest /= grid.chunk[d];
      }
      int& filled = times.at(static_cast<std::size_t>(k * block.map.run_block_stride[0] / element_bytes + i));
      ASSERT_EQ(filled, inside ? 0 : 1) << "chunk " << k << " of " << to_string(grid.chunk) << " at " << i;
      filled = 0;
    }
  }
  for (const int left : times) ASSERT_EQ(left, 0) << "what is to spare is nobody's";
}

TEST(Padding, is_in_every_cell_of_a_chunk_that_is_not_in_the_variable) {
  std::mt19937_64 random(61);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  for (int i = 0; i < 300 && !testing::Test::HasFatalFailure(); ++i) {
    geometry::ChunkGrid grid;
    for (std::int64_t d = draw(1, 4); d > 0; --d) {
      grid.shape.push_back(draw(1, 9));
      grid.chunk.push_back(draw(1, grid.shape[grid.shape.rank() - 1]));
    }
    grid.region = whole(grid.shape);
    const std::int64_t first = draw(0, (grid.shape[0] - 1) / grid.chunk[0]) * grid.chunk[0];
    grid.region.start[0] = first;
    grid.region.count[0] -= first;
    expect_cells_or_padding(grid, std::int64_t{1} << draw(0, 3), i % 2 * 8);
  }
}

TEST(Padding, is_not_where_chunks_fit) {
  PlannedBlock block;
  block.chunks = geometry::ChunkGrid{{6, 8}, {3, 4}, {{3, 0}, {3, 8}}};
  block.map = map_chunks(*block.chunks, 4, 0);
  add_padding(block);
  EXPECT_TRUE(block.holes.empty());
}

}  // namespace
}  // namespace thalweg::block
