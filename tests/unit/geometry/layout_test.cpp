#include "geometry/layout.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "error_of.hpp"
#include "random_decomposition.hpp"

namespace thalweg::geometry {
namespace {

using namespace testing;
using Edges = std::vector<std::vector<std::int64_t>>;

Edges edges_of(const Layout& layout) {
  Edges edges(static_cast<std::size_t>(layout.rank()), {0});
  for (int i = 0; i < layout.domain_count(); ++i) {
    const Box box = layout.domain(i);
    for (int d = 0; d < layout.rank(); ++d) {
      auto& along = edges[static_cast<std::size_t>(d)];
      if (box.stop(d) > along.back()) along.push_back(box.stop(d));
    }
  }
  return edges;
}

// Cuts of one dimension after they moved to the given box starts.
std::vector<std::int64_t> moved_edges(std::int64_t cells, std::int64_t domains, std::vector<std::int64_t> starts) {
  Boundaries boundaries(Index{cells});
  starts.push_back(cells);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    boundaries.mark({Index{starts[i]}, Index{starts[i + 1] - starts[i]}});
  return edges_of(Layout::at_boundaries(Index{cells}, Index{domains}, boundaries))[0];
}

void expect_partition(const Layout& layout, const Index& shape) {
  ASSERT_EQ(layout.shape(), shape);
  CellCount count(shape);
  for (int i = 0; i < layout.domain_count(); ++i) {
    ASSERT_FALSE(layout.domain(i).empty());
    count.add(layout.domain(i));
  }
  EXPECT_TRUE(count.all(1));
}

TEST(Layout, even_gives_the_first_domains_one_cell_more) {
  EXPECT_EQ(edges_of(Layout::even({11, 6}, {4, 2})), (Edges{{0, 3, 6, 9, 11}, {0, 3, 6}}));
}

TEST(Layout, chunked_cuts_at_multiples_of_one_extent) {
  EXPECT_EQ(edges_of(Layout::chunked({11, 6}, {4, 2}, {1, 1})), (Edges{{0, 3, 6, 9, 11}, {0, 3, 6}}));
  EXPECT_EQ(edges_of(Layout::chunked({10}, {4}, {1})), (Edges{{0, 3, 6, 9, 10}}));
  EXPECT_EQ(edges_of(Layout::chunked({9}, {6}, {1})), (Edges{{0, 2, 4, 6, 8, 9}})) << "one domain fewer than asked";
  EXPECT_EQ(edges_of(Layout::chunked({3}, {7}, {1})), (Edges{{0, 1, 2, 3}}));
}

TEST(Layout, domains_are_numbered_with_the_last_dimension_fastest) {
  const Layout layout(Edges{{0, 2, 5}, {0, 1, 3, 7}});
  EXPECT_EQ(layout.domains(), (Index{2, 3}));
  EXPECT_EQ(layout.domain(1), (Box{{0, 1}, {2, 2}}));
  EXPECT_EQ(layout.domain(3), (Box{{2, 0}, {3, 1}}));
}

TEST(Layout, of_a_scalar_has_one_domain_of_one_cell) {
  const Layout layout = Layout::even({}, {});
  EXPECT_EQ(layout.domain_count(), 1);
  EXPECT_EQ(layout.domain(0).cells(), 1);
  EXPECT_EQ(layout.touching(layout.domain(0)), std::vector<int>{0});
}

TEST(Layout, of_no_cells_has_one_empty_domain) {
  for (const Layout& layout : {Layout::even({0, 4}, {1, 2}), Layout::chunked({0, 4}, {3, 2}, {1, 1})}) {
    EXPECT_EQ(layout.domains(), (Index{1, 2}));
    EXPECT_TRUE(layout.domain(1).empty());
    EXPECT_TRUE(layout.touching(whole({0, 4})).empty());
  }
}

TEST(Layout, refuses_edges_that_do_not_ascend_from_zero) {
  for (const auto& bad :
       {Edges{{}}, Edges{{0}}, Edges{{1, 5}}, Edges{{0, 3, 3, 5}}, Edges{{0, 4, 2}}, Edges{{0, 5}, {0, 0, 0}}})
    EXPECT_NE(error_of(THALWEG_ERROR_SHAPE, [&] { Layout layout(bad); }).find("must ascend"), std::string::npos);
}

TEST(Layout, refuses_more_domains_than_cells_and_says_how_many_fit) {
  EXPECT_EQ(
      error_of(THALWEG_ERROR_SHAPE, [] { Layout::even({20, 6}, {4, 7}); }),
      "layout (4, 7) asks for 7 domains along dimension 1 of index space (20, 6): at most 6 is possible, one a cell");
}

TEST(Layout, refuses_domains_of_another_rank_or_below_one) {
  EXPECT_NE(error_of(THALWEG_ERROR_SHAPE, [] { Layout::even({20, 6}, {4}); }).find("one number a dimension"),
            std::string::npos);
  EXPECT_NE(error_of(THALWEG_ERROR_SHAPE, [] { Layout::chunked({20}, {0}, {1}); }).find("at least 1 domain"),
            std::string::npos);
  EXPECT_NE(error_of(THALWEG_ERROR_SHAPE, [] { Layout::even({-1}, {1}); }).find("-1 cells"), std::string::npos);
}

TEST(Layout, refuses_more_domains_than_can_be_numbered) {
  EXPECT_NE(error_of(THALWEG_ERROR_SHAPE, [] { Layout::even({50000, 50000}, {50000, 50000}); }).find("cut into fewer"),
            std::string::npos);
}

TEST(Layout, domains_of_any_layout_partition_the_space) {
  Random random(1);
  for (int i = 0; i < cases; ++i) {
    const Index shape = random_shape(random);
    const Index domains = random_domains(random, shape);
    Boundaries boundaries(shape);
    for (int n = 0; n < 4; ++n) boundaries.mark(random_box(random, shape));
    expect_partition(Layout::even(shape, domains), shape);
    expect_partition(Layout::chunked(shape, domains, Index::filled(shape.rank(), 1)), shape);
    expect_partition(Layout::at_boundaries(shape, domains, boundaries), shape);
    EXPECT_EQ(Layout::even(shape, domains).domains(), domains);
    EXPECT_EQ(Layout::at_boundaries(shape, domains, boundaries).domains(), domains);
  }
}

TEST(Layout, touching_names_the_domains_that_share_a_cell_ascending) {
  Random random(2);
  for (int i = 0; i < cases; ++i) {
    const Index shape = random_shape(random);
    const Layout layout = random_layout(random, shape);
    const Box box = random_box(random, shape);
    std::vector<int> expected;
    for (int n = 0; n < layout.domain_count(); ++n)
      if (intersect(box, layout.domain(n))) expected.push_back(n);
    EXPECT_EQ(layout.touching(box), expected) << to_string(box) << " in " << to_string(shape);
  }
}

TEST(Layout, touching_ignores_what_lies_outside_and_empty_boxes) {
  const Layout layout = Layout::even({10, 10}, {2, 2});
  EXPECT_EQ(layout.touching({{-3, 7}, {4, 100}}), std::vector<int>{1});
  EXPECT_TRUE(layout.touching({{10, 0}, {1, 1}}).empty());
  EXPECT_TRUE(layout.touching({{3, 3}, {0, 4}}).empty());
}

TEST(Boundaries, are_the_starts_and_stops_of_boxes) {
  Boundaries boundaries({70, 130});
  boundaries.mark({{3, 64}, {60, 65}});
  boundaries.mark({{10, 10}, {0, 5}});  // empty
  for (std::int64_t i = 0; i <= 70; ++i) EXPECT_EQ(boundaries.at(0, i), i == 3 || i == 63) << i;
  for (std::int64_t i = 0; i <= 130; ++i) EXPECT_EQ(boundaries.at(1, i), i == 64 || i == 129) << i;
  EXPECT_FALSE(boundaries.at(0, -1));
  EXPECT_FALSE(boundaries.at(0, 71));
}

TEST(Boundaries, at_the_end_of_one_dimension_are_not_at_the_start_of_the_next) {
  Boundaries boundaries({5, 5});
  boundaries.mark({{2, 2}, {3, 2}});
  EXPECT_TRUE(boundaries.at(0, 5));
  EXPECT_FALSE(boundaries.at(1, 0));
}

TEST(Boundaries, of_all_ranks_are_the_bitwise_or_of_their_words) {
  Boundaries together({200});
  Boundaries apart({200});
  for (std::int64_t start : {0, 50, 120}) {
    Boundaries own({200});
    own.mark({{start}, {10}});
    together.mark({{start}, {10}});
    for (std::size_t i = 0; i < own.words().size(); ++i) apart.words()[i] |= own.words()[i];
  }
  EXPECT_EQ(apart.words(), together.words());
}

TEST(Boundaries, need_memory_for_the_extents_only) {
  EXPECT_LE(Boundaries({100000, 100000}).words().size() * 64, 200002U + 64);
}

TEST(Boundaries, of_large_extents_are_listed) {
  constexpr std::int64_t large = std::int64_t{1} << 61;
  Boundaries boundaries({5, large, large});
  boundaries.mark({{2, 7, large - 9}, {3, large / 2, 9}});
  boundaries.mark({{0, 0, 0}, {2, 7, 1}});
  EXPECT_TRUE(boundaries.are_listed());
  EXPECT_TRUE(boundaries.words().empty());
  EXPECT_EQ(boundaries.inside(0), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(boundaries.inside(1), (std::vector<std::int64_t>{7, large / 2 + 7}));
  EXPECT_EQ(boundaries.inside(2), (std::vector<std::int64_t>{1, large - 9}));
  EXPECT_TRUE(boundaries.at(2, large));
  EXPECT_FALSE(boundaries.at(2, 2));
  EXPECT_FALSE(boundaries.at(2, -1));
}

TEST(LayoutAtBoundaries, is_the_same_by_lists_and_by_bits) {
  const Index small{1 << 20, 3}, large{std::int64_t{1} << 40, 3};
  Boundaries bits(small), lists(large);
  for (std::int64_t start : {0, 300'000, 700'000}) {
    bits.mark({{start, 0}, {100'000, 2}});
    lists.mark({{start << 20, 0}, {std::int64_t{100'000} << 20, 2}});
  }
  ASSERT_TRUE(!bits.are_listed() && lists.are_listed());
  const Layout by_bits = Layout::at_boundaries(small, {3, 2}, bits);
  const Layout by_lists = Layout::at_boundaries(large, {3, 2}, lists);
  EXPECT_EQ(by_bits.edges(1), by_lists.edges(1));
  for (std::size_t i = 0; i < by_bits.edges(0).size(); ++i)
    EXPECT_EQ(by_bits.edges(0)[i] << 20, by_lists.edges(0)[i]) << i;
}

TEST(LayoutAtBoundaries, moves_even_cuts_to_the_nearest_boundary) {
  using Cuts = std::vector<std::int64_t>;
  EXPECT_EQ(moved_edges(100, 2, {0, 30, 60, 90}), (Cuts{0, 60, 100}));
  EXPECT_EQ(moved_edges(100, 2, {0, 45, 55}), (Cuts{0, 45, 100})) << "the lower of two equally near";
  EXPECT_EQ(moved_edges(10, 4, {0, 3, 6, 9}), (Cuts{0, 3, 6, 9, 10}));
  EXPECT_EQ(moved_edges(100, 3, {0, 1, 2}), (Cuts{0, 1, 2, 100})) << "two cuts, two boundaries";
}

TEST(LayoutAtBoundaries, keeps_even_cuts_where_boundaries_are_too_few) {
  using Cuts = std::vector<std::int64_t>;
  EXPECT_EQ(moved_edges(100, 4, {0}), (Cuts{0, 25, 50, 75, 100}));
  EXPECT_EQ(moved_edges(100, 4, {0, 48}), (Cuts{0, 25, 48, 75, 100}));
  EXPECT_EQ(moved_edges(100, 3, {0, 60}), (Cuts{0, 34, 60, 100}));
  EXPECT_EQ(moved_edges(100, 3, {0, 98}), (Cuts{0, 34, 67, 100})) << "no slivers";
}

// The rank grid is a multiple of the layout; blocks are as uneven as can be.
TEST(LayoutAtBoundaries, puts_each_box_of_a_cartesian_decomposition_into_one_domain) {
  Random random(3);
  for (int i = 0; i < cases; ++i) {
    const Layout blocks = random_layout(random, random_shape(random));
    Index domains = blocks.domains();
    for (std::int64_t& n : std::span(&domains[0], static_cast<std::size_t>(domains.rank()))) {
      std::int64_t divisor = draw(random, 1, n);
      while (n % divisor != 0) --divisor;
      n = divisor;
    }
    Boundaries boundaries(blocks.shape());
    for (const Box& box : boxes_of(blocks)) boundaries.mark(box);
    const Layout layout = Layout::at_boundaries(blocks.shape(), domains, boundaries);
    ASSERT_EQ(layout.domains(), domains);
    for (const Box& box : boxes_of(blocks)) EXPECT_EQ(layout.touching(box).size(), 1U);
  }
}

TEST(LayoutAtBoundaries, gives_each_domain_equally_many_blocks_of_equal_size) {
  const Layout blocks = Layout::even({1080, 1440}, {15, 16});
  Boundaries boundaries(blocks.shape());
  for (const Box& box : boxes_of(blocks)) boundaries.mark(box);
  const Layout layout = Layout::at_boundaries(blocks.shape(), {5, 4}, boundaries);
  for (const Box& domain : boxes_of(layout)) EXPECT_EQ(domain.count, (Index{216, 360}));
}

}  // namespace
}  // namespace thalweg::geometry
