#include <gtest/gtest.h>

#include "base/error.hpp"
#include "geometry/plan.hpp"
#include "random_decomposition.hpp"

namespace thalweg::geometry {
namespace {

using namespace testing;

Decomposition example() {
  return {.dimensions = {"y", "x"},
          .shape = {10, 20},
          .boxes = {{{0, 0}, {5, 20}}, {{5, 10}, {5, 10}}},
          .halo_low = {1, 1},
          .halo_high = {1, 1}};
}

void expect_refused(const Decomposition& decomposition, thalweg_status code, const std::string& text) {
  try {
    check_own_boxes(decomposition, 7);
    ADD_FAILURE() << "accepted instead of: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("rank 7"), std::string::npos) << error.what();
  }
}

TEST(Pieces, follow_from_cells_and_not_from_names_or_halos) {
  const Decomposition cells{{"y", "x"}, {8, 6}, {{{0, 0}, {4, 6}}}, {0, 0}, {0, 0}, false, nullptr};
  Decomposition other = cells;
  other.dimensions = {"lat", "lon"};
  other.halo_low = {2, 2};
  EXPECT_TRUE(same_cells(cells, other));
  other.boxes.front().count[0] = 3;
  EXPECT_FALSE(same_cells(cells, other));
  other = cells;
  other.masked = true;
  EXPECT_FALSE(same_cells(cells, other));
  const auto list = [](std::int64_t local) { return std::make_shared<const IndexList>(IndexList{2, {{local, 5, 2}}}); };
  Decomposition points{{"cell"}, {9}, {{{0}, {2}}}, {0}, {0}, false, list(0)};
  Decomposition same = points;
  same.list = list(0);
  EXPECT_TRUE(same_cells(points, same));
  same.list = list(1);
  EXPECT_FALSE(same_cells(points, same));
  same.list = nullptr;
  EXPECT_FALSE(same_cells(points, same));
}

TEST(Pieces, are_the_parts_of_boxes_in_domains_ordered_by_domain_then_box) {
  const Layout layout = Layout::even({10, 10}, {2, 2});
  const std::vector<Box> boxes = {{{4, 4}, {2, 2}}, {{2, 2}, {0, 5}}, {{0, 0}, {1, 6}}};
  const std::vector<Piece> expected = {{0, 0, {{4, 4}, {1, 1}}}, {0, 2, {{0, 0}, {1, 5}}}, {1, 0, {{4, 5}, {1, 1}}},
                                       {1, 2, {{0, 5}, {1, 1}}}, {2, 0, {{5, 4}, {1, 1}}}, {3, 0, {{5, 5}, {1, 1}}}};
  EXPECT_EQ(pieces_of(boxes, layout), expected);
}

TEST(Pieces, of_a_rank_that_holds_nothing_are_none) {
  EXPECT_TRUE(pieces_of({}, Layout::even({10}, {2})).empty());
}

TEST(Pieces, of_a_scalar_are_one) {
  const std::vector<Box> scalar(1);
  EXPECT_EQ(pieces_of(scalar, Layout::even({}, {})), (std::vector<Piece>{{0, 0, {}}}));
}

TEST(Pieces, of_all_ranks_hold_each_cell_once_in_its_own_domain) {
  Random random(11);
  for (int i = 0; i < cases; ++i) {
    const RandomDecomposition decomposition = random_decomposition(random);
    const Layout layout = random_layout(random, decomposition.shape);
    CellCount held(decomposition.shape);
    for (const auto& boxes : decomposition.boxes)
      for (const Piece& piece : pieces_of(boxes, layout)) {
        EXPECT_EQ(intersect(piece.region, layout.domain(piece.domain)), piece.region);
        EXPECT_EQ(intersect(piece.region, boxes[static_cast<std::size_t>(piece.box)]), piece.region);
        held.add(piece.region);
      }
    for (const Box& box : decomposition.masked) held.add(box);
    EXPECT_TRUE(held.all(1)) << "case " << i << ", shape " << to_string(decomposition.shape);
  }
}

TEST(Pieces, come_ascending_without_two_of_one_box_in_one_domain) {
  Random random(12);
  for (int i = 0; i < cases; ++i) {
    const RandomDecomposition decomposition = random_decomposition(random);
    const Layout layout = random_layout(random, decomposition.shape);
    for (const auto& boxes : decomposition.boxes) {
      const auto pieces = pieces_of(boxes, layout);
      for (std::size_t p = 1; p < pieces.size(); ++p)
        EXPECT_LT(std::pair(pieces[p - 1].domain, pieces[p - 1].box), std::pair(pieces[p].domain, pieces[p].box));
    }
  }
}

TEST(OwnBoxes, are_accepted_if_inside_and_disjoint) {
  EXPECT_NO_THROW(check_own_boxes(example(), 7));
  Random random(13);
  for (int i = 0; i < cases; ++i) {
    const RandomDecomposition drawn = random_decomposition(random);
    const Index zero = Index::filled(drawn.shape.rank(), 0);
    for (const auto& boxes : drawn.boxes) {
      const std::vector<std::string> names(static_cast<std::size_t>(zero.rank()), "n");
      EXPECT_NO_THROW(check_own_boxes({names, drawn.shape, boxes, zero, zero, true}, 7));
    }
  }
}

TEST(OwnBoxes, may_be_none_or_empty_anywhere) {
  Decomposition decomposition = example();
  decomposition.boxes = {{{-1, 30}, {0, 5}}};
  EXPECT_NO_THROW(check_own_boxes(decomposition, 7));
  decomposition.boxes.clear();
  EXPECT_NO_THROW(check_own_boxes(decomposition, 7));
}

TEST(OwnBoxes, are_refused_outside_of_the_shape_naming_box_shape_and_dimension) {
  for (const Box& outside : {Box{{-1, 0}, {2, 2}}, Box{{9, 0}, {2, 2}}, Box{{0, 19}, {2, 2}},
                             Box{{1, 0}, {std::numeric_limits<std::int64_t>::max(), 1}}}) {
    Decomposition decomposition = example();
    decomposition.boxes[1] = outside;
    expect_refused(decomposition, THALWEG_ERROR_SHAPE, "box 1 of rank 7 starts at " + to_string(outside.start));
    expect_refused(decomposition, THALWEG_ERROR_SHAPE, "outside of the decomposition of shape (10, 20)");
  }
}

TEST(OwnBoxes, are_refused_with_negative_extents) {
  Decomposition decomposition = example();
  decomposition.boxes[0].count = {5, -20};
  expect_refused(decomposition, THALWEG_ERROR_SHAPE, "box 0 with extents (5, -20)");
}

TEST(OwnBoxes, are_refused_with_negative_shape_or_halo) {
  Decomposition decomposition = example();
  decomposition.halo_high = {0, -2};
  expect_refused(decomposition, THALWEG_ERROR_SHAPE, "upper halo widths (0, -2)");
  decomposition = example();
  decomposition.shape = {-10, 20};
  expect_refused(decomposition, THALWEG_ERROR_SHAPE, "the shape (-10, 20)");
}

TEST(OwnBoxes, are_refused_of_more_cells_than_can_be_counted) {
  Decomposition decomposition = example();
  decomposition.masked = true;
  decomposition.shape = {std::int64_t{1} << 33, std::int64_t{1} << 30};
  expect_refused(decomposition, THALWEG_ERROR_SHAPE, "decomposition (y,x)");
  expect_refused(decomposition, THALWEG_ERROR_SHAPE, "more than 2^63 - 1 cells");
  decomposition.shape = {std::int64_t{1} << 33, (std::int64_t{1} << 30) - 1};
  EXPECT_NO_THROW(check_own_boxes(decomposition, 7));
}

TEST(OwnBoxes, are_refused_with_another_number_of_dimensions) {
  Decomposition decomposition = example();
  decomposition.boxes[1] = {{0}, {3}};
  expect_refused(decomposition, THALWEG_ERROR_SHAPE, "1 box starts");
  decomposition = example();
  decomposition.dimensions = {"x"};
  expect_refused(decomposition, THALWEG_ERROR_SHAPE, "1 dimension names");
}

TEST(OwnBoxes, are_refused_if_they_overlap_naming_the_common_cells) {
  Decomposition decomposition = example();
  decomposition.boxes[1] = {{4, 10}, {6, 10}};
  expect_refused(decomposition, THALWEG_ERROR_AGREEMENT, "both hold [4:5, 10:20]");
}

}  // namespace
}  // namespace thalweg::geometry
