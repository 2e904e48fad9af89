// Ocean decompositions without ranks for blocks that are all land, from a real land/sea mask at 1/4 and 1/10 degree.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>

#include "geometry/plan.hpp"
#include "random_decomposition.hpp"

namespace thalweg::geometry {
namespace {

using namespace testing;

// Masked blocks as FMS writes them: "j:i" or "j:i1-i2", from 1, j from the south. Blocks are numbered i fastest.
struct MaskedGrid {
  Index shape;   // y, x
  Index blocks;  // y, x
  const char* table;
};

const MaskedGrid quarter_degree{
    {1080, 1440}, {15, 16}, "1:1-3 1:13-16 8:14 10:1 10:9 10:16 11:1-2 11:8 11:15-16 12:1-2 12:8 12:16 13:1-2 14:1"};

const MaskedGrid tenth_degree{
    {2700, 3600},
    {15, 48},
    "1:1-10 1:26 1:37-48 6:29-30 6:41 7:29-30 7:41-42 8:40-42 9:3 9:38 10:1-5 10:23-27 10:44-48 11:1-7 11:22-24 "
    "11:42-48 12:1-8 12:21-24 12:45-48 13:1-6 13:24-25 13:32 13:48 14:1-4 14:24 14:32-34 14:48 15:1"};

std::set<std::pair<int, int>> masked_blocks(const MaskedGrid& grid) {
  std::set<std::pair<int, int>> masked;
  std::istringstream words(grid.table);
  for (std::string word; words >> word;) {
    int j = 0;
    int first = 0;
    int last = 0;
    if (std::sscanf(word.c_str(), "%d:%d-%d", &j, &first, &last) < 3) last = first;
    for (int i = first; i <= last; ++i) masked.insert({j - 1, i - 1});
  }
  return masked;
}

struct MaskedOcean {
  Layout blocks;
  std::vector<std::vector<Box>> boxes;  // by rank; ranks exist for blocks with ocean only
  std::vector<Box> land;
};

MaskedOcean masked_ocean(const MaskedGrid& grid) {
  MaskedOcean ocean{Layout::even(grid.shape, grid.blocks), {}, {}};
  const auto masked = masked_blocks(grid);
  for (int number = 0; number < ocean.blocks.domain_count(); ++number) {
    const auto row_length = static_cast<int>(grid.blocks[1]);
    const Box block = ocean.blocks.domain(number);
    if (masked.contains({number / row_length, number % row_length}))
      ocean.land.push_back(block);
    else
      ocean.boxes.push_back({block});
  }
  return ocean;
}

Layout layout_of(const MaskedOcean& ocean, const Index& domains) {
  Boundaries boundaries(ocean.blocks.shape());
  for (const auto& boxes : ocean.boxes) boundaries.mark(boxes.front());
  return Layout::at_boundaries(ocean.blocks.shape(), domains, boundaries);
}

// Domains whose block in the first corner is land: a leader chosen by its place in the layout would not exist.
int domains_with_masked_first_block(const MaskedOcean& ocean, const Layout& layout) {
  int found = 0;
  for (const Box& domain : boxes_of(layout))
    found +=
        std::any_of(ocean.land.begin(), ocean.land.end(), [&](const Box& land) { return land.start == domain.start; });
  return found;
}

TEST(LandMask, tables_have_the_published_numbers_of_ranks) {
  EXPECT_EQ(masked_ocean(quarter_degree).boxes.size(), 217U);
  EXPECT_EQ(masked_ocean(quarter_degree).land.size(), 23U);
  EXPECT_EQ(masked_ocean(quarter_degree).blocks.domain(17), (Box{{72, 90}, {72, 90}}));
  EXPECT_EQ(masked_ocean(tenth_degree).boxes.size(), 617U);
  EXPECT_EQ(masked_ocean(tenth_degree).land.size(), 103U);
}

TEST(LandMask, holes_of_the_plan_are_exactly_the_land_blocks) {
  for (const MaskedGrid& grid : {quarter_degree, tenth_degree}) {
    const MaskedOcean ocean = masked_ocean(grid);
    const Layout layout = layout_of(ocean, {3, 4});
    const auto contributions = contributions_by_domain(ocean.boxes, layout);
    CellCount holes(grid.shape);
    CellCount land(grid.shape);
    for (const Box& box : ocean.land) land.add(box);
    for (int n = 0; n < layout.domain_count(); ++n) {
      const Coverage coverage = cover(layout.domain(n), contributions[static_cast<std::size_t>(n)]);
      EXPECT_TRUE(coverage.overlaps.empty());
      for (const Box& hole : coverage.holes) holes.add(hole);
    }
    EXPECT_EQ(holes, land);
  }
}

TEST(LandMask, holes_side_by_side_are_filled_as_one_box) {
  const MaskedOcean ocean = masked_ocean(quarter_degree);
  const Layout one = Layout::even(quarter_degree.shape, {1, 1});
  const Coverage coverage = cover(one.domain(0), contributions_by_domain(ocean.boxes, one)[0]);
  EXPECT_LE(coverage.holes.size(), 14U) << "the table has 14 runs along x";
  EXPECT_EQ(coverage.covered_cells, 217 * 72 * 90);
}

TEST(LandMask, domains_that_no_rank_feeds_are_one_hole_each) {
  const MaskedOcean ocean = masked_ocean(quarter_degree);
  const Layout layout = layout_of(ocean, {15, 8});
  const auto contributions = contributions_by_domain(ocean.boxes, layout);
  ASSERT_EQ(contributions.size(), 120U);
  int unfed = 0;
  for (int n = 0; n < layout.domain_count(); ++n) {
    if (!contributions[static_cast<std::size_t>(n)].empty()) continue;
    ++unfed;
    EXPECT_EQ(cover(layout.domain(n), {}).holes, std::vector<Box>{layout.domain(n)});
  }
  EXPECT_EQ(unfed, 7);
}

TEST(LandMask, first_contribution_of_a_domain_is_of_a_rank_that_exists) {
  const MaskedOcean ocean = masked_ocean(quarter_degree);
  const Layout layout = layout_of(ocean, {15, 8});
  EXPECT_EQ(domains_with_masked_first_block(ocean, layout), 11);
  int moved = 0;
  const auto contributions = contributions_by_domain(ocean.boxes, layout);
  for (int n = 0; n < layout.domain_count(); ++n) {
    const auto& pieces = contributions[static_cast<std::size_t>(n)];
    if (pieces.empty()) continue;
    const Contribution& first = pieces.front();
    EXPECT_EQ(intersect(ocean.boxes.at(static_cast<std::size_t>(first.rank)).front(), layout.domain(n)), first.region);
    moved += first.region.start != layout.domain(n).start;
  }
  EXPECT_EQ(moved, 11 - 7) << "domains with ranks whose first block has none";
}

TEST(LandMask, local_sizes_sum_to_the_covered_cells_not_to_the_global_size) {
  for (const MaskedGrid& grid : {quarter_degree, tenth_degree}) {
    const MaskedOcean ocean = masked_ocean(grid);
    const Layout layout = layout_of(ocean, {15, 4});
    std::int64_t local = 0;
    for (const auto& boxes : ocean.boxes) local += boxes.front().cells();
    std::int64_t covered = 0;
    const auto contributions = contributions_by_domain(ocean.boxes, layout);
    for (int n = 0; n < layout.domain_count(); ++n)
      covered += cover(layout.domain(n), contributions[static_cast<std::size_t>(n)]).covered_cells;
    EXPECT_EQ(covered, local);
    EXPECT_LT(covered, grid.shape.product());
  }
}

TEST(LandMask, ranks_a_domain_of_the_tenth_degree_grid_are_as_published) {
  const MaskedOcean ocean = masked_ocean(tenth_degree);
  const Layout layout = layout_of(ocean, {15, 3});
  const auto contributions = contributions_by_domain(ocean.boxes, layout);
  ASSERT_EQ(contributions.size(), 45U);
  const auto fewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto [least, most] = std::minmax_element(contributions.begin(), contributions.end(), fewer);
  std::size_t pieces = 0;
  for (const auto& domain : contributions) pieces += domain.size();
  EXPECT_EQ(least->size(), 4U);
  EXPECT_EQ(most->size(), 16U);
  EXPECT_EQ(pieces, 617U) << "13.7 a domain, each rank in one domain only";
  EXPECT_EQ(domains_with_masked_first_block(ocean, layout), 8);
}

}  // namespace
}  // namespace thalweg::geometry
