#include <gtest/gtest.h>

#include <set>

#include "geometry/plan.hpp"
#include "random_decomposition.hpp"

namespace thalweg::geometry {
namespace {

using namespace testing;

std::vector<Contribution> contributions_of(const std::vector<Box>& boxes) {
  std::vector<Contribution> result;
  for (const Box& box : boxes) result.push_back({static_cast<int>(result.size()), 0, box});
  return result;
}

Coverage cover_boxes(const Box& domain, const std::vector<Box>& boxes) {
  return cover(domain, contributions_of(boxes));
}

std::set<std::pair<int, int>> overlapping_pairs(const std::vector<Box>& boxes) {
  std::set<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j)
      if (intersect(boxes[i], boxes[j])) pairs.insert({static_cast<int>(i), static_cast<int>(j)});
  return pairs;
}

std::vector<Box> grid(const Index& shape, const Index& blocks) {
  return boxes_of(Layout::even(shape, blocks));
}

TEST(Coverage, of_a_covered_domain_has_neither_overlaps_nor_holes) {
  const Coverage coverage = cover_boxes(whole({12, 12}), grid({12, 12}, {3, 4}));
  EXPECT_TRUE(coverage.overlaps.empty());
  EXPECT_TRUE(coverage.holes.empty());
  EXPECT_EQ(coverage.covered_cells, 144);
}

TEST(Coverage, without_contributions_is_one_hole) {
  const Box domain{{3, 4}, {5, 6}};
  const Coverage coverage = cover(domain, {});
  EXPECT_EQ(coverage.holes, std::vector<Box>{domain});
  EXPECT_EQ(coverage.covered_cells, 0);
}

TEST(Coverage, of_an_empty_domain_is_empty) {
  const Coverage coverage = cover({{0, 0}, {0, 6}}, {});
  EXPECT_TRUE(coverage.holes.empty());
}

TEST(Coverage, of_a_scalar_sees_one_holder_two_and_none) {
  EXPECT_EQ(cover_boxes({}, {Box{}}).covered_cells, 1);
  EXPECT_EQ(cover_boxes({}, {Box{}, Box{}}).overlaps.size(), 1U);
  EXPECT_EQ(cover_boxes({}, {}).holes.size(), 1U);
}

TEST(Coverage, looks_at_the_domain_only) {
  const Coverage coverage =
      cover_boxes({{5, 5}, {5, 5}}, {{{0, 0}, {10, 8}}, {{0, 0}, {5, 5}}, {{5, 8}, {9, 9}}, {{6, 6}, {0, 1}}});
  EXPECT_TRUE(coverage.overlaps.empty());
  EXPECT_TRUE(coverage.holes.empty());
  EXPECT_EQ(coverage.covered_cells, 25);
}

TEST(Coverage, names_both_holders_of_an_overlap_and_their_common_cells) {
  const std::vector<Contribution> contributions = {{4, 0, {{0, 0}, {6, 10}}}, {9, 2, {{5, 3}, {5, 4}}}};
  const Coverage coverage = cover(whole({10, 10}), contributions);
  ASSERT_EQ(coverage.overlaps.size(), 1U);
  EXPECT_EQ(coverage.overlaps[0].first.rank, 4);
  EXPECT_EQ(coverage.overlaps[0].second.rank, 9);
  EXPECT_EQ(coverage.overlaps[0].second.box, 2);
  EXPECT_EQ(coverage.overlaps[0].common, (Box{{5, 3}, {1, 4}}));
  EXPECT_EQ(coverage.covered_cells, 60 + 16);
}

TEST(Coverage, reports_no_more_overlaps_than_the_limit_and_ends) {
  const std::vector<Box> same(5000, whole({50, 50}));
  EXPECT_EQ(cover_boxes(whole({50, 50}), same).overlaps.size(), max_overlaps);
}

TEST(Coverage, merges_holes_that_lie_side_by_side) {
  const Box middle{{4, 0}, {4, 12}};
  std::vector<Box> boxes = grid({12, 12}, {3, 4});
  std::erase_if(boxes, [&](const Box& box) { return intersect(box, middle).has_value(); });
  EXPECT_EQ(cover_boxes(whole({12, 12}), boxes).holes, std::vector<Box>{middle});
}

// No straight cut leaves all of these boxes whole.
TEST(Coverage, of_boxes_around_a_pinwheel_has_its_centre_as_only_hole) {
  const std::vector<Box> boxes = {{{0, 0}, {1, 2}}, {{0, 2}, {2, 1}}, {{2, 1}, {1, 2}}, {{1, 0}, {2, 1}}};
  const Coverage coverage = cover_boxes(whole({3, 3}), boxes);
  EXPECT_TRUE(coverage.overlaps.empty());
  EXPECT_EQ(coverage.holes, (std::vector<Box>{{{1, 1}, {1, 1}}}));
  EXPECT_EQ(coverage.covered_cells, 8);
}

TEST(Coverage, finds_exactly_the_masked_holes_in_each_domain) {
  Random random(21);
  for (int i = 0; i < cases; ++i) {
    const RandomDecomposition drawn = random_decomposition(random);
    const Layout layout = random_layout(random, drawn.shape);
    const auto contributions = contributions_by_domain(drawn.boxes, layout);
    CellCount masked(drawn.shape);
    for (const Box& box : drawn.masked) masked.add(box);
    CellCount holes(drawn.shape);
    std::int64_t covered = 0;
    for (int n = 0; n < layout.domain_count(); ++n) {
      const Coverage coverage = cover(layout.domain(n), contributions[static_cast<std::size_t>(n)]);
      EXPECT_TRUE(coverage.overlaps.empty());
      for (const Box& hole : coverage.holes) {
        EXPECT_EQ(intersect(hole, layout.domain(n)), hole);
        holes.add(hole);
      }
      covered += coverage.covered_cells;
    }
    EXPECT_EQ(holes, masked) << "case " << i << ", shape " << to_string(drawn.shape);
    EXPECT_EQ(covered, masked.cells_with(0));
  }
}

// Boxes thrown at random: many overlap, many cells stay free.
TEST(Coverage, agrees_with_counting_cells_for_boxes_at_random) {
  Random random(22);
  int without = 0;
  for (int i = 0; i < 2 * cases; ++i) {
    const Index shape = random_shape(random);
    std::vector<Box> boxes(static_cast<std::size_t>(draw(random, 0, 7)));
    for (Box& box : boxes) box = random_box(random, shape);
    const auto expected = overlapping_pairs(boxes);
    const Coverage coverage = cover_boxes(whole(shape), boxes);
    std::set<std::pair<int, int>> found;
    for (const Overlap& overlap : coverage.overlaps) {
      EXPECT_TRUE(found.insert({overlap.first.rank, overlap.second.rank}).second) << "reported twice";
      EXPECT_EQ(intersect(overlap.first.region, overlap.second.region), overlap.common);
    }
    EXPECT_EQ(found.empty(), expected.empty());
    EXPECT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
    if (expected.size() < max_overlaps) {
      CellCount count(shape);
      for (const Box& box : boxes) count.add(box);
      CellCount holes(shape);
      for (const Box& hole : coverage.holes) holes.add(hole);
      for_each_cell(whole(shape), [&](const Index& cell) { ASSERT_EQ(holes.at(cell), count.at(cell) == 0); });
      EXPECT_EQ(coverage.covered_cells, shape.product() - count.cells_with(0));
    }
    without += expected.empty();
  }
  EXPECT_GT(without, 20) << "the random boxes must also give cases without overlap";
}

TEST(Coverage, finds_each_planted_overlap_and_nothing_else) {
  Random random(23);
  for (int i = 0; i < cases; ++i) {
    const Index shape = random_shape(random);
    std::vector<Box> boxes;
    cut_irregularly(random, whole(shape), 40, boxes);
    const std::int64_t clean = std::ssize(boxes);
    for (std::int64_t n = draw(random, 0, 2); n > 0; --n) {
      Box cell = random_box(random, shape);
      cell.count = Index::filled(shape.rank(), 1);
      boxes.push_back(cell);
    }
    std::set<std::pair<int, int>> found;
    for (const Overlap& overlap : cover_boxes(whole(shape), boxes).overlaps)
      found.insert({overlap.first.rank, overlap.second.rank});
    EXPECT_EQ(found, overlapping_pairs(boxes));
    EXPECT_GE(std::ssize(found), std::ssize(boxes) - clean);
  }
}

TEST(Coverage, of_ten_thousand_contributions_finds_the_one_that_is_missing) {
  std::vector<Box> boxes = grid({3000, 3000}, {100, 100});
  std::shuffle(boxes.begin(), boxes.end(), Random(24));
  boxes.pop_back();
  const std::vector<Contribution> contributions = contributions_of(boxes);
  const Coverage coverage = cover(whole({3000, 3000}), contributions);
  EXPECT_EQ(coverage.covered_cells, 9000000 - 900);
  EXPECT_EQ(coverage.holes.size(), 1U);
}

TEST(Coverage, of_thousands_of_irregular_boxes_in_three_dimensions_is_exact) {
  Random random(25);
  std::vector<Box> boxes;
  cut_irregularly(random, whole({500, 500, 500}), 5000, boxes);
  ASSERT_GT(boxes.size(), 4000U);
  std::shuffle(boxes.begin(), boxes.end(), random);
  const std::size_t kept = boxes.size() * 9 / 10;
  const std::vector<Box> masked(boxes.begin() + static_cast<std::ptrdiff_t>(kept), boxes.end());
  boxes.resize(kept);
  const std::vector<Contribution> contributions = contributions_of(boxes);
  const Coverage coverage = cover(whole({500, 500, 500}), contributions);
  EXPECT_TRUE(coverage.overlaps.empty());
  std::int64_t hole_cells = 0;
  for (const Box& hole : coverage.holes) hole_cells += hole.cells();
  std::int64_t masked_cells = 0;
  for (const Box& box : masked) masked_cells += box.cells();
  EXPECT_EQ(hole_cells, masked_cells);
  EXPECT_EQ(coverage.covered_cells, 125000000 - masked_cells);
}

// Small boxes far apart: each cut passes through holes, and faces of all boxes differ.
TEST(Coverage, of_scattered_boxes_is_exact) {
  Random random(26);
  std::vector<Box> boxes;
  for (const Box& cage : grid({2000, 2000, 2000}, {17, 17, 17})) {
    Box box = random_box(random, cage.count);
    for (int d = 0; d < 3; ++d) box.start[d] += cage.start[d];
    boxes.push_back(box);
  }
  const std::vector<Contribution> contributions = contributions_of(boxes);
  const Coverage coverage = cover(whole({2000, 2000, 2000}), contributions);
  std::int64_t cells = coverage.covered_cells;
  for (const Box& hole : coverage.holes) cells += hole.cells();
  EXPECT_EQ(cells, 8000000000);
}

}  // namespace
}  // namespace thalweg::geometry
