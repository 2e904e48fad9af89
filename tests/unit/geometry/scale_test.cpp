// Plans for machines far larger than the one that runs the tests.
#include <gtest/gtest.h>

#include "geometry/plan.hpp"
#include "random_decomposition.hpp"
#include "sanitized.hpp"

namespace thalweg::geometry {
namespace {

using namespace testing;

struct Machine {
  Layout blocks;  // one a rank
  Layout layout;
};

// Blocks of about 10 x 12 points on a ranks_y x ranks_x grid, one I/O domain for 10 x 10 ranks.
Machine machine(std::int64_t ranks_y, std::int64_t ranks_x, bool at_boundaries) {
  const Index shape{10 * ranks_y + 3, 12 * ranks_x + 5};
  const Index domains{ranks_y / 10, ranks_x / 10};
  const Layout blocks = Layout::even(shape, {ranks_y, ranks_x});
  if (!at_boundaries) return {blocks, Layout::even(shape, domains)};
  Boundaries boundaries(shape);
  for (int rank = 0; rank < blocks.domain_count(); ++rank) boundaries.mark(blocks.domain(rank));
  return {blocks, Layout::at_boundaries(shape, domains, boundaries)};
}

std::vector<Piece> pieces_of_rank(const Machine& machine, int rank) {
  const std::vector<Box> own{machine.blocks.domain(rank)};
  return pieces_of(own, machine.layout);
}

void expect_whole_machine_planned(bool at_boundaries) {
  const int domains = sanitized::fewer(1000);
  const Machine all = machine(250, sanitized::fewer(400), at_boundaries);
  ASSERT_EQ(all.blocks.domain_count(), 100 * domains);
  ASSERT_EQ(all.layout.domain_count(), domains);
  std::vector<std::vector<Contribution>> contributions(domains);
  for (int rank = 0; rank < all.blocks.domain_count(); ++rank)
    for (const Piece& piece : pieces_of_rank(all, rank))
      contributions[static_cast<std::size_t>(piece.domain)].push_back({rank, piece.box, piece.region});
  for (int n = 0; n < domains; ++n) {
    const Coverage coverage = cover(all.layout.domain(n), contributions[static_cast<std::size_t>(n)]);
    ASSERT_TRUE(coverage.overlaps.empty() && coverage.holes.empty());
    ASSERT_EQ(coverage.covered_cells, all.layout.domain(n).cells());
  }
}

TEST(Scale, hundred_thousand_ranks_and_a_thousand_domains_at_client_boundaries) {
  expect_whole_machine_planned(true);
}

TEST(Scale, hundred_thousand_ranks_and_a_thousand_domains_that_cut_through_boxes) {
  expect_whole_machine_planned(false);
}

TEST(Scale, pieces_of_one_rank_do_not_grow_with_the_machine) {
  for (std::int64_t factor : {1, 2, 5, 10}) {
    const Machine aligned = machine(40 * factor, 40 * factor, true);
    const Machine crossing = machine(40 * factor, 40 * factor, false);
    for (int rank = 0; rank < aligned.blocks.domain_count(); rank += 97) {
      EXPECT_EQ(pieces_of_rank(aligned, rank).size(), 1U);
      EXPECT_LE(pieces_of_rank(crossing, rank).size(), 4U);
    }
  }
}

}  // namespace
}  // namespace thalweg::geometry
