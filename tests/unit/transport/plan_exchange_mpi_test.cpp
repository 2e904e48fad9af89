#include "transport/plan_exchange.hpp"

#include <gtest/gtest.h>

#include <map>

#include "error_of.hpp"
#include "geometry/random_decomposition.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

using geometry::Decomposition;
using geometry::Layout;
using geometry::Piece;
using geometry::testing::CellCount;
using geometry::testing::draw;
using geometry::testing::Random;
using geometry::testing::RandomDecomposition;

// The same on every rank: boxes of all ranks, layout, nodes.
struct Case {
  RandomDecomposition global;
  Layout layout;
  std::vector<std::int64_t> nodes;  // ranks of each
  int home = 0;

  explicit Case(Random& random) : global(geometry::testing::random_decomposition(random)) {
    std::vector<std::vector<Box>> boxes(static_cast<std::size_t>(ranks()));
    for (std::size_t i = 0; i < global.boxes.size(); ++i)
      for (const Box& box : global.boxes[i]) boxes[i % boxes.size()].push_back(box);
    global.boxes = std::move(boxes);
    layout = Layout::even(global.shape, geometry::testing::random_domains(random, global.shape));
    for (std::int64_t left = ranks(); left > 0; left -= nodes.back()) nodes.push_back(draw(random, 1, left));
    home = static_cast<int>(draw(random, 0, std::ssize(nodes) - 1));
  }

  Decomposition own() const {
    Decomposition decomposition;
    for (int d = 0; d < global.shape.rank(); ++d) decomposition.dimensions.push_back(fmt::format("d{}", d));
    decomposition.shape = global.shape;
    decomposition.boxes = global.boxes[static_cast<std::size_t>(own_rank())];
    decomposition.masked = !global.masked.empty();
    return decomposition;
  }
  int node_of(int rank) const { return roles::emulated_nodes(ranks(), emulate())[static_cast<std::size_t>(rank)]; }
  // One value would be a number of nodes.
  std::vector<std::int64_t> emulate() const { return nodes.size() == 1 ? std::vector<std::int64_t>{} : nodes; }
};

// A piece on its way, as any rank can describe it.
struct Way {
  int sender, receiver;
  Piece piece;
};

// All ranks' ways, on every rank, by sender and receiver, in each side's order.
using Ways = std::map<std::pair<int, int>, std::vector<Piece>>;
Ways all_ways(const std::vector<Way>& own) {
  Packer packer;
  for (const Way& way : own) packer.put(way);
  const Bytes bytes = packer.take();
  Ways ways;
  for (int rank = 0; rank < ranks(); ++rank) {
    const Bytes of_rank = broadcast(MPI_COMM_WORLD, rank, bytes);
    for (Unpacker unpacker(of_rank); !unpacker.done();) {
      const Way way = unpacker.get<Way>();
      ways[{way.sender, way.receiver}].push_back(way.piece);
    }
  }
  return ways;
}

std::vector<Way> ways_of(const Plan& plan, bool outgoing) {
  std::vector<Way> ways;
  for (const RemotePiece& remote : outgoing ? plan.outgoing : plan.incoming)
    ways.push_back({outgoing ? own_rank() : remote.peer, outgoing ? remote.peer : own_rank(), remote.piece});
  return ways;
}

void expect_same_nodes_everywhere(const Case& c, const Plan& plan) {
  std::vector<std::int64_t> nodes(plan.node_of_domain.begin(), plan.node_of_domain.end());
  broadcast_values(MPI_COMM_WORLD, 0, nodes);
  EXPECT_TRUE(std::equal(nodes.begin(), nodes.end(), plan.node_of_domain.begin(), plan.node_of_domain.end()));
  for (std::size_t d = 0; d < nodes.size(); ++d) {
    std::vector<std::int64_t> cells(c.nodes.size(), 0);
    for (int rank = 0; rank < ranks(); ++rank)
      for (const Box& box : c.global.boxes[static_cast<std::size_t>(rank)])
        if (const auto common = intersect(box, c.layout.domain(static_cast<int>(d))))
          cells[static_cast<std::size_t>(c.node_of(rank))] += common->cells();
    const std::int64_t most = *std::max_element(cells.begin(), cells.end());
    if (nodes.size() == 1 || most == 0)
      EXPECT_EQ(nodes[d], c.home);
    else
      EXPECT_EQ(cells[static_cast<std::size_t>(nodes[d])], most) << "domain " << d;
  }
}

// Brute force: every cell of every box comes to the node of its domain by one way, and completes its block.
void expect_each_cell_once(const Case& c, const roles::Roles& roles, const Plan& plan) {
  const Ways sent = all_ways(ways_of(plan, true));
  const Ways received = all_ways(ways_of(plan, false));
  EXPECT_EQ(sent, received);  // also in order: a message has no other description

  std::vector<Way> local;
  for (const Piece& piece : plan.local) local.push_back({own_rank(), own_rank(), piece});
  std::map<int, std::uint32_t> pieces;
  CellCount count(c.global.shape);
  const auto take = [&](const Ways& ways) {
    for (const auto& [way, list] : ways)
      for (const Piece& piece : list) {
        EXPECT_EQ(c.node_of(way.second), plan.node_of_domain[static_cast<std::size_t>(piece.domain)]);
        EXPECT_EQ(intersect(piece.region, c.layout.domain(piece.domain)), piece.region);
        const auto& boxes = c.global.boxes[static_cast<std::size_t>(way.first)];
        EXPECT_EQ(intersect(piece.region, boxes.at(static_cast<std::size_t>(piece.box))), piece.region);
        count.add(piece.region);
        ++pieces[piece.domain];
      }
  };
  for (const auto& [way, list] : sent) EXPECT_NE(c.node_of(way.first), c.node_of(way.second));
  take(sent);
  take(all_ways(local));
  for (const OwnedDomain& owned : plan.owned) {
    EXPECT_EQ(plan.node_of_domain[static_cast<std::size_t>(owned.domain)], roles.node);
    EXPECT_EQ(owned.pieces, pieces[owned.domain]) << "domain " << owned.domain;
    if (!roles.leads_node()) continue;
    for (const Box& hole : owned.holes) count.add(hole);
  }
  // Holes of other nodes' domains are their leaders' business: here only own domains must be whole.
  for (const OwnedDomain& owned : plan.owned)
    if (roles.leads_node())
      geometry::testing::for_each_cell(c.layout.domain(owned.domain),
                                       [&](const Index& cell) { ASSERT_EQ(count.at(cell), 1) << to_string(cell); });
  EXPECT_EQ(static_cast<std::ptrdiff_t>(plan.owned.size()),
            std::count(plan.node_of_domain.begin(), plan.node_of_domain.end(), roles.node));
}

TEST(MakePlan, brings_each_cell_to_one_block_of_the_node_that_writes_it) {
  Random random(20);
  for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(fmt::format("case {}", i));
    const Case c(random);
    const roles::Roles roles(MPI_COMM_WORLD, c.emulate());
    const Plan plan = make_plan(roles, c.own(), c.layout, Writing{c.home, 0});
    expect_same_nodes_everywhere(c, plan);
    expect_each_cell_once(c, roles, plan);
    const std::int64_t failures = sum(MPI_COMM_WORLD, testing::Test::HasFailure() ? 1 : 0);
    if (failures > 0) break;  // all ranks stop together
  }
}

// ---- faults, found where the decomposition is declared

Decomposition row_of(std::int64_t start, std::int64_t count) {
  Decomposition decomposition;
  decomposition.dimensions = {"x"};
  decomposition.shape = {10 * ranks()};
  decomposition.boxes = {{{start}, {count}}};
  return decomposition;
}

TEST(MakePlan, names_ranks_and_boxes_that_overlap_on_every_rank) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const roles::Roles roles(MPI_COMM_WORLD, {2});
  const Decomposition own = row_of(own_rank() == 1 ? 8 : 10 * own_rank(), own_rank() == 1 ? 12 : 10);
  const std::string text = thalweg::error_of(THALWEG_ERROR_AGREEMENT,
                                             [&] { make_plan(roles, own, Layout::even(own.shape, {1}), Writing{}); });
  for (const char* part :
       {"decomposition (x): boxes overlap", "rank 0 box 0 [0:10]", "rank 1 box 0 [8:20]", "share [8:10]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

TEST(MakePlan, names_cells_that_nobody_owns_and_the_way_to_intend_them) {
  const roles::Roles roles(MPI_COMM_WORLD, {});
  const bool is_last = own_rank() == ranks() - 1;
  const Decomposition own = row_of(10 * own_rank(), is_last ? 7 : 10);
  const std::string text = thalweg::error_of(THALWEG_ERROR_AGREEMENT,
                                             [&] { make_plan(roles, own, Layout::even(own.shape, {2}), Writing{}); });
  EXPECT_NE(text.find(fmt::format("[{}:{}]", 10 * ranks() - 3, 10 * ranks())), std::string::npos) << text;
  EXPECT_NE(text.find("declare the decomposition as masked"), std::string::npos) << text;
}

TEST(MakePlan, gives_intended_holes_to_the_leader_of_the_node_that_fills_them) {
  const roles::Roles roles(MPI_COMM_WORLD, {});
  Decomposition own = row_of(10 * own_rank(), own_rank() == ranks() - 1 ? 7 : 10);
  own.masked = true;
  const Plan plan = make_plan(roles, own, Layout::even(own.shape, {1}), Writing{});
  ASSERT_EQ(plan.owned.size(), 1U);
  EXPECT_EQ(plan.owned[0].pieces, static_cast<std::uint32_t>(ranks()));
  if (roles.leads_node()) {
    EXPECT_EQ(plan.owned[0].holes, (std::vector<Box>{{{10 * ranks() - 3}, {3}}}));
  }
}

TEST(AllBoundaries, are_those_of_every_rank) {
  const roles::Roles roles(MPI_COMM_WORLD, {});
  const geometry::Boundaries boundaries = all_boundaries(roles, row_of(10 * own_rank(), 10));
  for (std::int64_t i = 1; i < 10 * ranks(); ++i) EXPECT_EQ(boundaries.at(0, i), i % 10 == 0) << i;
}

TEST(AllBoundaries, are_those_of_every_rank_where_they_are_listed) {
  const roles::Roles roles(MPI_COMM_WORLD, {});
  Decomposition own = row_of(0, 10);
  constexpr std::int64_t far = std::int64_t{1} << 40;
  own.shape = {far * ranks()};
  own.boxes = {{{far * own_rank()}, {10}}, {{far * own_rank() + 100}, {5}}};
  own.masked = true;
  const geometry::Boundaries boundaries = all_boundaries(roles, own);
  std::vector<std::int64_t> expected;
  for (std::int64_t rank = 0; rank < ranks(); ++rank)
    for (std::int64_t place : {0, 10, 100, 105})
      if (far * rank + place > 0) expected.push_back(far * rank + place);
  EXPECT_EQ(boundaries.inside(0), expected);
}

}  // namespace
}  // namespace thalweg::transport
