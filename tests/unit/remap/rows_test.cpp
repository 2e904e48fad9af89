#include "remap/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "remap/shares.hpp"

namespace thalweg::remap {
namespace {

using testing::ElementsAre;
using testing::IsNan;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<double> of(const Rows& rows, const std::vector<double>& values, const MissingRule& rule = {}) {
  std::vector<double> results(static_cast<std::size_t>(rows.cells()));
  rows.apply(values, rule, results);
  return results;
}

TEST(Rows, add_up_what_their_sources_have) {
  const Rows rows(2, 3, {{4, 9, 0.5}, {2, 7, 2.0}, {4, 7, 0.25}, {2, 1, 1.0}, {1, 1, 8.0}, {5, 3, 8.0}, {2, 3, 0.0}});
  EXPECT_THAT(rows.sources(), ElementsAre(1, 7, 9));
  EXPECT_THAT(of(rows, {10, 20, 30}), ElementsAre(50.0, IsNan(), 20.0));
}

TEST(Rows, add_up_weights_of_a_pair_that_comes_twice) {
  EXPECT_THAT(of(Rows(0, 1, {{0, 3, 0.5}, {0, 2, 1.0}, {0, 3, 0.25}}), {4, 8}), ElementsAre(10.0));
}

// 1e16 + 1 - 1e16 is 0 or 1 as terms are added.
TEST(Rows, add_terms_in_the_order_of_their_sources_whatever_the_order_of_entries_is) {
  const std::vector<Entry> entries{{0, 0, 1e16}, {0, 1, 1.0}, {0, 2, -1e16}};
  std::vector<Entry> turned(entries.rbegin(), entries.rend());
  EXPECT_EQ(of(Rows(0, 1, entries), {1, 1, 1}), of(Rows(0, 1, turned), {1, 1, 1}));
  EXPECT_THAT(of(Rows(0, 1, turned), {1, 1, 1}), ElementsAre((1e16 + 1.0) - 1e16));
}

TEST(Rows, make_up_for_sources_without_a_value_or_have_none_themselves) {
  const Rows rows(0, 1, {{0, 0, 0.25}, {0, 1, 0.5}, {0, 2, 0.25}});
  EXPECT_THAT(of(rows, {2, none, 4}), ElementsAre((0.25 * 2 + 0.25 * 4) * 2));
  EXPECT_THAT(of(rows, {2, none, 4}, {.least_valid = 0.5}), ElementsAre(3.0));
  EXPECT_THAT(of(rows, {2, none, 4}, {.least_valid = 0.51}), ElementsAre(IsNan()));
  EXPECT_THAT(of(rows, {2, none, 4}, {.propagates = true}), ElementsAre(IsNan()));
  EXPECT_THAT(of(rows, {none, none, none}), ElementsAre(IsNan()));
  EXPECT_THAT(of(rows, {2, 3, 4}, {.propagates = true}), ElementsAre(3.0));
}

// What is left of them says nothing of the whole.
TEST(Rows, have_none_where_what_is_left_of_the_weights_has_another_sign) {
  const Rows rows(0, 1, {{0, 0, 1.5}, {0, 1, -0.5}});
  EXPECT_THAT(of(rows, {none, 4}), ElementsAre(IsNan()));
  EXPECT_THAT(of(rows, {4, none}), ElementsAre(4.0));
}

TEST(Rows, that_are_means_divide_by_the_sum_of_their_weights) {
  const Rows rows(0, 2, {{0, 0, 3.0}, {0, 1, 1.0}, {1, 2, 5.0}}, true);
  EXPECT_THAT(of(rows, {4, 8, 7}), ElementsAre(5.0, 7.0));
}

TEST(Shares, cover_all_cells_once_and_know_their_owners) {
  for (const Index& sizes : {Index{1}, Index{7, 3}, Index{4}, Index{2, 5}})
    for (int ranks = 1; ranks < 10; ++ranks) {
      const Shares shares(sizes, ranks);
      EXPECT_EQ(shares.first_of(0), 0);
      EXPECT_EQ(shares.first_of(ranks), sizes.product());
      for (int rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(shares.box_of(rank).cells(), shares.first_of(rank + 1) - shares.first_of(rank));
        for (std::int64_t cell = shares.first_of(rank); cell < shares.first_of(rank + 1); ++cell)
          EXPECT_EQ(shares.owner_of(cell), rank);
      }
    }
}

}  // namespace
}  // namespace thalweg::remap
