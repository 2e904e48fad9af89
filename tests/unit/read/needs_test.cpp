#include "read/needs.hpp"

#include <gtest/gtest.h>

using namespace thalweg;
using namespace thalweg::read;

namespace {

std::vector<Need> needs(std::int64_t start, std::int64_t count, std::int64_t low, std::int64_t high, bool periodic) {
  return needs_of({{{start}, {count}}, {low}, {high}}, {10}, {{periodic}, {}});
}

Need need(std::int64_t start, std::int64_t count, std::int64_t at) {
  return {{{start}, {count}}, {at}};
}

TEST(Needs, halos_end_at_the_ends_of_a_dimension) {
  EXPECT_EQ(needs(0, 4, 2, 1, false), std::vector{need(0, 5, 2)});
  EXPECT_EQ(needs(4, 6, 2, 3, false), std::vector{need(2, 8, 0)});
}

TEST(Needs, halos_go_on_at_the_other_end_of_a_periodic_dimension) {
  EXPECT_EQ(needs(0, 4, 2, 1, true), (std::vector{need(8, 2, 0), need(0, 5, 2)}));
  EXPECT_EQ(needs(4, 6, 2, 3, true), (std::vector{need(2, 8, 0), need(0, 3, 8)}));
}

TEST(Needs, a_periodic_dimension_may_come_more_than_once) {
  EXPECT_EQ(needs(0, 10, 13, 0, true), (std::vector{need(7, 3, 0), need(0, 10, 3), need(0, 10, 13)}));
}

TEST(Needs, corners_come_from_both_dimensions) {
  const auto all = needs_of({{{0, 0}, {2, 2}}, {1, 1}, {0, 0}}, {4, 6}, {{true, true}, {}});
  const std::vector<Need> expected = {
      {{{3, 5}, {1, 1}}, {0, 0}}, {{{0, 5}, {2, 1}}, {1, 0}}, {{{3, 0}, {1, 2}}, {0, 1}}, {{{0, 0}, {2, 2}}, {1, 1}}};
  EXPECT_EQ(all, expected);
}

TEST(Needs, an_empty_box_needs_nothing_and_a_scalar_its_value) {
  EXPECT_TRUE(needs(3, 0, 1, 1, true).empty());
  EXPECT_EQ(needs_of({{}, {}, {}}, {}, {}).size(), 1U);
}

}  // namespace
