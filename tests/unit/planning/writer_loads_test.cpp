#include "planning/writer_loads.hpp"

#include <gmock/gmock.h>

namespace thalweg::planning {
namespace {

using testing::ElementsAre;

std::vector<int> idlest_first(const WriterLoads& loads, std::vector<int> writers) {
  loads.put_idlest_first(writers);
  return writers;
}

TEST(WriterLoads, keep_the_order_of_writers_that_have_as_much_to_do) {
  WriterLoads loads;
  EXPECT_THAT(idlest_first(loads, {5, 3, 4}), ElementsAre(5, 3, 4));
  for (const int writer : {3, 4, 5}) loads.give(writer, 10);
  EXPECT_THAT(idlest_first(loads, {5, 3, 4}), ElementsAre(5, 3, 4));
}

TEST(WriterLoads, put_those_first_that_were_given_less) {
  WriterLoads loads;
  loads.give(3, 100);
  loads.give(4, 30);
  loads.give(4, 30);
  EXPECT_THAT(idlest_first(loads, {3, 4, 5}), ElementsAre(5, 4, 3));
  EXPECT_EQ(loads.of(4), 60);
  EXPECT_EQ(loads.of(6), 0);
}

TEST(StepsBetween, are_counted_or_follow_from_the_length_of_a_step) {
  EXPECT_EQ(steps_between({.steps = 4}, 0), 4);
  EXPECT_EQ(steps_between({.steps = 4}, 600), 4);
  EXPECT_EQ(steps_between({.seconds = 21600}, 600), 36);
  EXPECT_EQ(steps_between({.months = 2}, 3600), 2 * 30 * 24);
}

TEST(StepsBetween, are_one_where_nothing_says_how_long_a_step_is) {
  EXPECT_EQ(steps_between({.seconds = 21600}, 0), 1);
  EXPECT_EQ(steps_between({}, 600), 1);
}

}  // namespace
}  // namespace thalweg::planning
