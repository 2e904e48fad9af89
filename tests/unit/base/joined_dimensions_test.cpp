#include "base/joined_dimensions.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

using Names = std::vector<std::string>;

TEST(JoinedDimensions, leave_everything_as_it_is_where_none_are_joined) {
  const JoinedDimensions none;
  EXPECT_FALSE(none.any());
  EXPECT_EQ(none.joined({2, 3, 4}), (Index{2, 3, 4}));
  EXPECT_EQ(none.in_file({{1, 2}, {3, 4}}), (Box{{1, 2}, {3, 4}}));
  EXPECT_EQ(none.stride_in_file({8, 4}), (Index{8, 4}));
  EXPECT_EQ(none.row_points(), 1);
  EXPECT_FALSE(JoinedDimensions(1, {40}).any());
}

TEST(JoinedDimensions, count_as_one_between_others) {
  const JoinedDimensions joined(1, {6, 10, 4});
  EXPECT_TRUE(joined.any());
  EXPECT_EQ(joined.row_points(), 40);
  EXPECT_EQ(joined.joined({3, 6, 10, 4, 2}), (Index{3, 240, 2}));
  EXPECT_EQ(JoinedDimensions(0, {6, 10}).joined({6, 10}), (Index{60}));
}

TEST(JoinedDimensions, make_a_box_of_whole_rows) {
  const JoinedDimensions joined(1, {6, 10, 4});
  EXPECT_EQ(joined.in_file({{1, 80, 0}, {2, 120, 5}}), (Box{{1, 2, 0, 0, 0}, {2, 3, 10, 4, 5}}));
  EXPECT_EQ(joined.stride_in_file({960, 4, 2}), (Index{960, 160, 16, 4, 2}));
}

TEST(JoinedDimensions, are_found_next_to_each_other_and_in_order) {
  EXPECT_EQ(place_of_joined({"z", "lat", "lon"}, {"lat", "lon"}), 1);
  EXPECT_EQ(place_of_joined({"lat", "lon", "z"}, {"lat", "lon"}), 0);
  EXPECT_EQ(place_of_joined({"lon", "lat"}, {"lat", "lon"}), -1);
  EXPECT_EQ(place_of_joined({"lat", "z", "lon"}, {"lat", "lon"}), -1);
  EXPECT_EQ(place_of_joined({"lat", "lon", "lat"}, {"lat", "lon"}), -1);
  EXPECT_EQ(place_of_joined({"z", "lat"}, {"lat", "lon"}), -1);
  EXPECT_EQ(with_joined({"z", "lat", "lon", "n"}, 1, 2), (Names{"z", "lat*lon", "n"}));
}

}  // namespace
}  // namespace thalweg
