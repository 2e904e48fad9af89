#include "api/kept_time_line.hpp"

#include <gtest/gtest.h>

namespace thalweg::api {
namespace {

TEST(KeptTimeLine, has_a_name_beside_the_one_of_all_ranks) {
  EXPECT_EQ(path_of_kept("out/line.json", 3), "out/line.rank-3.json");
  EXPECT_EQ(path_of_kept("run.1/line", 12), "run.1/line.rank-12");
}

TEST(KeptTimeLine, of_many_ranks_only_the_first_and_writers_keep_theirs) {
  EXPECT_TRUE(is_kept(255, false));
  EXPECT_FALSE(is_kept(256, false));
  EXPECT_TRUE(is_kept(100'000, true));
}

}  // namespace
}  // namespace thalweg::api
