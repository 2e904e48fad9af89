#include "netcdf/spread.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "base/error.hpp"

namespace thalweg::netcdf {
namespace {

using ::testing::ElementsAre;

// As `parts` of each rank are compared.
std::vector<Spread> spreads(const Declared& declared, const std::vector<std::vector<Parts>>& parts) {
  std::vector<std::int64_t> largest;
  for (const std::vector<Parts>& own : parts) {
    const std::vector<std::int64_t> flags = flags_of(declared, own);
    largest.resize(flags.size());
    for (std::size_t i = 0; i < flags.size(); ++i) largest[i] = std::max(largest[i], flags[i]);
  }
  const std::vector<Cut> cuts = cuts_of(declared, largest, static_cast<int>(parts.size()));
  std::vector<std::int64_t> sums;
  for (int rank = 0; rank < std::ssize(parts); ++rank) {
    const std::vector<std::int64_t> counts = counts_of(declared, parts[static_cast<std::size_t>(rank)], cuts, rank);
    sums.resize(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += counts[i];
  }
  return spreads_of(declared, cuts, sums, static_cast<int>(parts.size()));
}

Declared fields() {
  Declared declared;
  const int x = declared.define_dimension("x", 6);
  const int z = declared.define_dimension("z", 3);
  declared.define_variable("depth", Type::float64, {x});
  declared.define_variable("zeta", Type::float64, {x});
  declared.define_variable("mask", Type::float64, {x});
  declared.define_variable("temp", Type::float64, {z, x});
  declared.define_variable("count", Type::float64, {});
  return declared;
}

const Parts all_x{{{0}, {6}}};
const Parts left{{{0}, {4}}};
const Parts right{{{4}, {2}}};
const Parts scalar{Box{}};

TEST(NetcdfSpread, follows_from_what_ranks_put) {
  const std::vector<Spread> spread = spreads(
      fields(), {{all_x, left, left, {{{0, 0}, {3, 4}}}, scalar}, {all_x, right, right, {{{0, 4}, {3, 2}}}, scalar}});
  EXPECT_FALSE(spread[0].is_decomposed);
  EXPECT_TRUE(spread[1].is_decomposed);
  EXPECT_EQ(spread[2].key, spread[1].key);
  EXPECT_EQ(spread[3].key, spread[1].key);
  EXPECT_THAT(spread[3].along, ElementsAre(1));
  EXPECT_FALSE(spread[3].has_holes);
  EXPECT_FALSE(spread[4].is_decomposed);
}

TEST(NetcdfSpread, tells_the_same_parts_from_others) {
  const std::vector<Spread> spread =
      spreads(fields(), {{all_x, left, right, {}, scalar}, {all_x, right, left, {}, scalar}});
  EXPECT_TRUE(spread[2].is_decomposed);
  EXPECT_NE(spread[2].key, spread[1].key);
}

// All ways in which ranks may have equal stretches of a dimension.
TEST(NetcdfSpread, tells_apart_who_has_which_of_equal_parts) {
  for (int ranks = 2; ranks <= 5; ++ranks)
    for (int rows = 1; rows <= 4; ++rows) {
      Declared declared;
      const int y = declared.define_dimension("y", static_cast<std::int64_t>(ranks) * rows);
      declared.define_variable("v", Type::float64, {y});
      std::vector<int> place(static_cast<std::size_t>(ranks));
      std::iota(place.begin(), place.end(), 0);
      std::set<std::string> keys;
      int ways = 0;
      do {
        std::vector<std::vector<Parts>> parts;
        for (const int at : place) parts.push_back({{{{at * rows}, {rows}}}});
        keys.insert(spreads(declared, parts)[0].key);
        ++ways;
      } while (std::next_permutation(place.begin(), place.end()));
      EXPECT_EQ(std::ssize(keys), ways) << ranks << " ranks of " << rows << " rows";
    }
}

TEST(NetcdfSpread, has_holes_where_nobody_puts) {
  const std::vector<Spread> spread = spreads(fields(), {{all_x, left, {}, {}, scalar}, {all_x, {}, {}, {}, scalar}});
  EXPECT_TRUE(spread[1].is_decomposed);
  EXPECT_TRUE(spread[1].has_holes);
  EXPECT_FALSE(spread[2].is_decomposed);
}

TEST(NetcdfSpread, is_one_rank_s_where_it_alone_puts) {
  const std::vector<Spread> spread = spreads(fields(), {{all_x, {}, {}, {}, scalar}, {{}, all_x, {}, {}, scalar}});
  EXPECT_TRUE(spread[0].is_decomposed);
  EXPECT_THAT(spread[0].along, ElementsAre(0));
  EXPECT_NE(spread[1].key, spread[0].key);
  const geometry::Decomposition of_second = decomposition_of(fields(), 1, spread[1], all_x);
  EXPECT_THAT(of_second.dimensions, ElementsAre("x"));
  EXPECT_EQ(of_second.boxes.size(), 1U);
}

TEST(NetcdfSpread, of_a_scalar_that_some_ranks_put_is_refused) {
  EXPECT_THROW(spreads(fields(), {{all_x, {}, {}, {}, scalar}, {all_x, {}, {}, {}, {}}}), Error);
}

TEST(NetcdfSpread, of_levels_one_by_one_is_along_them) {
  const std::vector<Spread> spread =
      spreads(fields(), {{all_x, {}, {}, {{{0, 0}, {1, 4}}, {{1, 0}, {1, 4}}, {{2, 0}, {1, 4}}}, scalar},
                         {all_x, {}, {}, {{{0, 4}, {1, 2}}, {{1, 4}, {1, 2}}, {{2, 4}, {1, 2}}}, scalar}});
  EXPECT_THAT(spread[3].along, ElementsAre(0, 1));
  EXPECT_FALSE(spread[3].has_holes);
}

const Parts all_in_two{{{0}, {4}}, {{4}, {2}}};

TEST(NetcdfSpread, is_the_same_where_every_rank_puts_all_in_parts) {
  const std::vector<Spread> spread =
      spreads(fields(), {{all_x, all_in_two, all_in_two, {}, scalar}, {all_x, all_in_two, all_x, {}, scalar}});
  EXPECT_FALSE(spread[1].is_decomposed);
  EXPECT_FALSE(spread[2].is_decomposed);
}

TEST(NetcdfSpread, is_of_parts_where_a_rank_lacks_some_or_is_alone) {
  const std::vector<Spread> some =
      spreads(fields(), {{all_x, all_in_two, {}, {}, scalar}, {all_x, left, {}, {}, scalar}});
  EXPECT_TRUE(some[1].is_decomposed);
  EXPECT_TRUE(spreads(fields(), {{all_x, all_in_two, {}, {}, scalar}})[1].is_decomposed);
  const Parts twice{{{0}, {4}}, {{1}, {2}}};
  EXPECT_TRUE(spreads(fields(), {{all_x, twice, {}, {}, scalar}, {all_x, twice, {}, {}, scalar}})[1].is_decomposed);
}

}  // namespace
}  // namespace thalweg::netcdf
