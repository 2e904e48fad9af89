// Boxes as stretches of their array.
#include "base/box_spans.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace thalweg {
namespace {

std::vector<std::int64_t> cells_of(const Box& box, const Index& shape) {
  std::vector<std::int64_t> cells;
  for_each_run(whole(shape), box, [&](std::int64_t offset, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) cells.push_back(offset + i);
  });
  return cells;
}

std::vector<Box> spans(const Box& part, const Index& shape, std::int64_t most_gap, std::int64_t most_cells) {
  std::vector<Box> boxes;
  for_each_span(part, contiguous_strides(shape, 1), most_gap, most_cells,
                [&](const Box& box) { boxes.push_back(box); });
  return boxes;
}

TEST(BoxSpans, have_rows_that_lie_near_each_other) {
  const Index shape = {10, 20};
  EXPECT_EQ(spans({{2, 3}, {5, 16}}, shape, 4, 1000), (std::vector<Box>{{{2, 3}, {5, 16}}}));
  EXPECT_EQ(spans({{2, 3}, {2, 15}}, shape, 4, 1000), (std::vector<Box>{{{2, 3}, {1, 15}}, {{3, 3}, {1, 15}}}));
  EXPECT_EQ(spans({{0, 0}, {5, 18}}, shape, 4, 40),
            (std::vector<Box>{{{0, 0}, {2, 18}}, {{2, 0}, {2, 18}}, {{4, 0}, {1, 18}}}));
}

TEST(BoxSpans, are_as_long_as_they_like_where_nothing_lies_between) {
  EXPECT_EQ(spans({{2, 0}, {7, 20}}, {10, 20}, 4, 10), (std::vector<Box>{{{2, 0}, {7, 20}}}));
  EXPECT_EQ(spans({{2, 1}, {1, 19}}, {10, 20}, 4, 10), (std::vector<Box>{{{2, 1}, {1, 19}}}));
}

TEST(BoxSpans, of_a_scalar_and_of_nothing) {
  EXPECT_EQ(spans({}, {}, 4, 10), std::vector<Box>{Box{}});
  EXPECT_TRUE(spans({{2, 1}, {0, 19}}, {10, 20}, 4, 10).empty());
}

TEST(BoxSpans, together_are_the_part_in_its_order) {
  std::mt19937 random(3);
  const auto below = [&](std::int64_t most) { return static_cast<std::int64_t>(random()) % most; };
  for (int i = 0; i < 2000; ++i) {
    Index shape;
    Box part;
    for (std::int64_t d = 1 + below(4); d > 0; --d) {
      const std::int64_t extent = 1 + below(7), start = below(extent);
      shape.push_back(extent);
      part.start.push_back(start);
      part.count.push_back(1 + below(extent - start));
    }
    const std::int64_t most_gap = below(20), most_cells = 1 + below(200);
    const Index strides = contiguous_strides(shape, 1);
    std::vector<std::int64_t> cells;
    for (const Box& box : spans(part, shape, most_gap, most_cells)) {
      const std::vector<std::int64_t> own = cells_of(box, shape);
      cells.insert(cells.end(), own.begin(), own.end());
      const std::int64_t span = span_of(box.count, strides);
      ASSERT_EQ(span, own.back() - own.front() + 1);
      for (std::size_t c = 1; c < own.size(); ++c) ASSERT_LE(own[c] - own[c - 1] - 1, most_gap);
      Index row = box.count;
      if (row.rank() > 0) row[0] = 1;
      ASSERT_TRUE(span == box.cells() || span <= most_cells || box.cells() == row.product()) << to_string(box);
    }
    ASSERT_EQ(cells, cells_of(part, shape)) << to_string(part);
  }
}

}  // namespace
}  // namespace thalweg
