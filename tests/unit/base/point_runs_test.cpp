#include "base/point_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace thalweg {
namespace {

using Ways = std::map<std::int64_t, std::int64_t>;  // target -> source, point by point

Ways ways_of(const std::vector<PointRun>& runs) {
  Ways ways;
  for (const PointRun& run : runs)
    for (std::int64_t i = 0; i < run.length; ++i) {
      EXPECT_EQ(ways.count(run.target + i), 0U);
      ways[run.target + i] = run.source + i;
    }
  return ways;
}

TEST(PointRuns, join_neighbours_that_continue_each_other) {
  const std::vector<PointRun> given{{0, 10, 5}, {5, 15, 5}, {20, 20, 10}, {30, 31, 10}};
  const PointRuns runs(given);
  EXPECT_EQ(runs.runs(), (std::vector<PointRun>{{0, 10, 10}, {20, 20, 10}, {30, 31, 10}}));
  EXPECT_EQ(runs.points(), 30);
}

TEST(PointRuns, that_are_short_are_kept_point_by_point) {
  const std::vector<PointRun> given{{7, 0, 1}, {3, 1, 2}, {9, 5, 1}};
  const PointRuns runs(given);
  ASSERT_EQ(runs.parts().size(), 1U);
  EXPECT_TRUE(runs.parts()[0].length.empty());
  EXPECT_EQ(runs.runs(), (std::vector<PointRun>{{7, 0, 1}, {3, 1, 1}, {4, 2, 1}, {9, 5, 1}}));
}

TEST(PointRuns, of_nothing_are_nothing) {
  const PointRuns runs(std::vector<PointRun>{{3, 4, 0}});
  EXPECT_EQ(runs.points(), 0);
  EXPECT_TRUE(runs.parts().empty());
}

// Offsets of 4 bits stand for those of 31 of arrays that no test machine could hold.
TEST(PointRuns, beyond_the_offsets_of_one_part_go_into_several) {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<PointRun> given;
    std::int64_t target = 0, source = 0;
    for (int run = 0; run < 8; ++run) {
      const std::int64_t length = random() % (i % 2 == 0 ? 3 : 60);
      given.push_back({source, target, length});
      source += length + random() % 3;
      target += length + random() % 2;
    }
    std::vector<PointRun> shuffled = given;
    for (std::size_t run = 0; run < given.size(); ++run) shuffled[run].source += 200 * (random() % 2);
    const PointRuns runs(shuffled, 4);
    EXPECT_EQ(ways_of(runs.runs()), ways_of(shuffled));
    for (const PointRuns::Part& part : runs.parts())
      for (std::size_t k = 0; k < part.size(); ++k) {
        EXPECT_LE(part.source[k] + part.length_of(k), 16);
        EXPECT_LE(part.target[k] + part.length_of(k), 16);
      }
  }
}

}  // namespace
}  // namespace thalweg
