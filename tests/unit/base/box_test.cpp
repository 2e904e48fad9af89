#include "base/box.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace thalweg {
namespace {

TEST(Index, holds_as_many_values_as_given) {
  const std::vector<std::int64_t> values = {7, 8, 9};
  EXPECT_EQ(Index(std::span<const std::int64_t>(values)), (Index{7, 8, 9}));
  EXPECT_EQ(Index::filled(3, 5), (Index{5, 5, 5}));
  EXPECT_EQ(Index().rank(), 0);
}

TEST(Index, is_equal_only_with_the_same_rank) {
  EXPECT_FALSE((Index{1, 0} == Index{1}));
  EXPECT_FALSE((Index{1, 2} == Index{2, 1}));
}

TEST(Index, grows_by_push_back) {
  Index index{1};
  index.push_back(2);
  EXPECT_EQ(index, (Index{1, 2}));
}

TEST(Index, product_of_no_extents_is_one) {
  EXPECT_EQ(Index().product(), 1);
  EXPECT_EQ((Index{3, 0, 4}).product(), 0);
  EXPECT_EQ((Index{100000, 100000}).product(), 10000000000);
}

TEST(Box, is_empty_if_one_extent_is_not_positive) {
  EXPECT_TRUE((Box{{0, 0}, {3, 0}}).empty());
  EXPECT_TRUE((Box{{0, 0}, {-1, 2}}).empty());
  EXPECT_FALSE((Box{{0, 0}, {1, 1}}).empty());
  EXPECT_FALSE(Box{}.empty()) << "a scalar is one cell";
}

TEST(Box, whole_starts_at_zero) {
  EXPECT_EQ(whole({4, 5}), (Box{{0, 0}, {4, 5}}));
}

TEST(Box, intersection_is_the_common_part) {
  EXPECT_EQ(intersect(Box{{0, 2}, {5, 5}}, Box{{3, 0}, {9, 4}}), (Box{{3, 2}, {2, 2}}));
  EXPECT_EQ(intersect(Box{}, Box{}), Box{});
}

TEST(Box, boxes_that_only_touch_share_nothing) {
  EXPECT_FALSE(intersect(Box{{0}, {5}}, Box{{5}, {5}}));
  EXPECT_FALSE(intersect(Box{{0, 0}, {5, 5}}, Box{{2, 5}, {1, 1}}));
  EXPECT_FALSE(intersect(Box{{0}, {5}}, Box{{3}, {0}})) << "an empty box inside";
}

TEST(Box, contiguous_strides_have_the_last_dimension_fastest) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}, 8), (Index{96, 32, 8}));
  EXPECT_EQ(contiguous_strides({}, 8), Index{});
}

TEST(Box, text_shows_first_and_one_past_last_index) {
  EXPECT_EQ(to_string(Box{{3, 0}, {5, 4}}), "[3:8, 0:4]");
  EXPECT_EQ(to_string(Index{3, -1}), "(3, -1)");
}

}  // namespace
}  // namespace thalweg
