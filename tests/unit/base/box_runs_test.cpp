#include "base/box_runs.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <utility>

#include "base/element_bits.hpp"

namespace thalweg {
namespace {

using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;

Runs runs_of(const Box& outer, const Box& inner) {
  Runs runs;
  for_each_run(outer, inner, [&](std::int64_t offset, std::int64_t cells) { runs.emplace_back(offset, cells); });
  return runs;
}

// Row-major numbers of the cells of a box, found one by one.
std::vector<std::int64_t> cells_of(const Box& outer, const Box& inner) {
  std::vector<std::int64_t> cells;
  for (std::int64_t i = 0; i < inner.cells(); ++i) {
    std::int64_t left = i, cell = 0, step = 1;
    for (int d = outer.rank() - 1; d >= 0; --d) {
      cell += (inner.start[d] - outer.start[d] + left % inner.count[d]) * step;
      left /= inner.count[d];
      step *= outer.count[d];
    }
    cells.push_back(cell);
  }
  return cells;
}

std::vector<std::int64_t> spelled_out(const Runs& runs) {
  std::vector<std::int64_t> cells;
  for (const auto& [offset, count] : runs)
    for (std::int64_t i = 0; i < count; ++i) cells.push_back(offset + i);
  return cells;
}

TEST(BoxRuns, of_a_box_that_is_whole_behind_one_dimension_are_one) {
  EXPECT_EQ(runs_of({{0, 0, 0}, {4, 5, 6}}, {{1, 2, 0}, {1, 2, 6}}), (Runs{{42, 12}}));
  EXPECT_EQ(runs_of({{2, 0}, {4, 5}}, {{2, 0}, {4, 5}}), (Runs{{0, 20}}));
  EXPECT_EQ(runs_of({}, {}), (Runs{{0, 1}}));
  EXPECT_TRUE(runs_of({{0}, {4}}, {{1}, {0}}).empty());
}

TEST(BoxRuns, are_the_cells_of_the_box_in_order) {
  std::mt19937 random(7);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  for (int trial = 0; trial < 500; ++trial) {
    Box outer, inner;
    const auto rank = number(1, 5);
    for (int d = 0; d < rank; ++d) {
      outer.start.push_back(number(0, 9));
      outer.count.push_back(number(1, 5));
      inner.start.push_back(outer.start[d] + number(0, outer.count[d] - 1));
      inner.count.push_back(number(1, outer.stop(d) - inner.start[d]));
    }
    ASSERT_EQ(spelled_out(runs_of(outer, inner)), cells_of(outer, inner)) << to_string(outer) << to_string(inner);
  }
}

TEST(BoxRuns, cut_a_shape_into_boxes_that_are_one_run_each_and_small_enough) {
  for (const Index& shape : {Index{3, 4, 5}, Index{7}, Index{1, 1, 9}, Index{6, 1, 2, 3}, Index{}})
    for (std::int64_t most = 1; most <= 70; ++most) {
      std::int64_t next = 0;
      for (const Box& box : cut_into_runs(shape, most)) {
        ASSERT_LE(box.cells(), most);
        ASSERT_EQ(runs_of(whole(shape), box), (Runs{{next, box.cells()}})) << to_string(shape) << to_string(box);
        next += box.cells();
      }
      ASSERT_EQ(next, shape.product());
    }
}

TEST(BoxRuns, of_a_shape_without_cells_are_none) {
  EXPECT_TRUE(cut_into_runs({3, 0, 2}, 10).empty());
}

TEST(BoxRuns, are_few_where_many_cells_are_allowed) {
  EXPECT_EQ(cut_into_runs({10, 20, 30}, 6000).size(), 1U);
  EXPECT_EQ(cut_into_runs({10, 20, 30}, 5999).size(), 2U);
  EXPECT_EQ(cut_into_runs({std::int64_t{1} << 33, 2}, std::int64_t{1} << 32).size(), 4U);
}

TEST(ElementBits, sum_as_unsigned_numbers_of_their_size) {
  const std::vector<std::byte> ones(16, std::byte{0xff});
  EXPECT_EQ(bit_sum(ones, 1), 16U * 0xff);
  EXPECT_EQ(bit_sum(ones, 2), 8U * 0xffff);
  EXPECT_EQ(bit_sum(ones, 4), 4U * 0xffffffffULL);
  EXPECT_EQ(bit_sum(ones, 8), std::uint64_t{0} - 2);
}

TEST(ElementBits, change_their_order_within_elements) {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    std::vector<std::byte> bytes(16);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    swap_bytes(bytes, size);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      EXPECT_EQ(std::to_integer<std::size_t>(bytes[i]), i / size * size + size - 1 - i % size);
  }
}

}  // namespace
}  // namespace thalweg
