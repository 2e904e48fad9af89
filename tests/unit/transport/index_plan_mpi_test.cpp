// Plans of index lists across ranks, against a model that every rank can compute by itself.
#include "transport/index_plan.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

#include "error_of.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

using config::Owner;
using geometry::Decomposition;
using geometry::Layout;
using Random = std::mt19937_64;
using Indices = std::vector<std::int64_t>;

std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

Decomposition listed(const roles::Roles& roles, std::int64_t size, const Indices& index, bool masked, Owner owner) {
  Decomposition decomposition{{"cell"}, {size}, {}, {0}, {0}, masked, nullptr};
  decomposition.list =
      std::make_shared<geometry::IndexList>(geometry::index_list("cell", Index{size}, index, own_rank(), owner));
  decomposition.list = assign_owners(roles, decomposition, owner);
  return decomposition;
}

// The same on every rank: what all of them list.
struct Case {
  std::int64_t size = 1;
  std::vector<Indices> index;
  bool twice = false;
  bool holes = false;
  std::vector<std::int64_t> nodes;
  Layout layout;
  int home = 0;

  explicit Case(Random& random) : size(draw(random, 1, 120)), index(static_cast<std::size_t>(ranks())) {
    const std::int64_t mean = draw(random, 1, 10);
    for (std::int64_t start = 0; start < size;) {
      const std::int64_t stop = std::min(size, start + draw(random, 1, 2 * mean));
      const auto holder = static_cast<std::size_t>(draw(random, 0, ranks() - 1));
      const bool hole = draw(random, 0, 9) == 0;
      holes = holes || hole;
      for (std::int64_t p = start; p < stop && !hole; ++p) add(holder, p);
      if (!hole && draw(random, 0, 3) == 0) {
        twice = true;
        for (std::int64_t p = start; p < stop; p += 2) add(static_cast<std::size_t>(draw(random, 0, ranks() - 1)), p);
      }
      if (draw(random, 0, 3) == 0) index[holder].push_back(-1);
      start = stop;
    }
    for (Indices& of_rank : index) std::shuffle(of_rank.begin(), of_rank.end(), random);
    for (std::int64_t left = ranks(); left > 0; left -= nodes.back()) nodes.push_back(draw(random, 1, left));
    home = static_cast<int>(draw(random, 0, std::ssize(nodes) - 1));
    layout = Layout::even({size}, {draw(random, 1, std::min<std::int64_t>(size, 6))});
  }
  void add(std::size_t rank, std::int64_t point) { index[rank].push_back(point); }
  std::vector<std::int64_t> emulate() const { return nodes.size() == 1 ? std::vector<std::int64_t>{} : nodes; }
  int node_of(int rank) const { return roles::emulated_nodes(ranks(), emulate())[static_cast<std::size_t>(rank)]; }

  // Point -> (rank, position) that is written.
  std::map<std::int64_t, std::pair<int, std::int64_t>> owners() const {
    std::map<std::int64_t, std::pair<int, std::int64_t>> owner;
    for (std::size_t rank = 0; rank < index.size(); ++rank)
      for (std::size_t i = 0; i < index[rank].size(); ++i)
        if (index[rank][i] >= 0)
          owner.try_emplace(index[rank][i], static_cast<int>(rank), static_cast<std::int64_t>(i));
    return owner;
  }
};

struct Way {
  int sender, receiver, domain;
  std::int64_t local, global;  // or, of a message, places in it
};

std::vector<Way> all(const std::vector<Way>& own) {
  Packer packer;
  for (const Way& way : own) packer.put(way);
  const Bytes bytes = packer.take();
  std::vector<Way> ways;
  for (int rank = 0; rank < ranks(); ++rank) {
    const Bytes of_rank = broadcast(MPI_COMM_WORLD, rank, bytes);
    for (Unpacker unpacker(of_rank); !unpacker.done();) ways.push_back(unpacker.get<Way>());
  }
  return ways;
}

void add_ways(std::vector<Way>& ways, int sender, int receiver, const PlannedPiece& piece) {
  EXPECT_EQ(piece.points->points(), piece.region.count[0]);
  for (const PointRun& run : piece.points->runs())
    for (std::int64_t i = 0; i < run.length; ++i)
      ways.push_back({sender, receiver, piece.domain, run.source + i, run.target + i});
}

// Every written point comes once to the node of its domain, from its owner's place; the rest are holes.
void expect_each_point_once(const Case& c, const roles::Roles& roles, const Plan& plan) {
  std::vector<Way> local, sent, received;
  for (const PlannedPiece& piece : plan.local) add_ways(local, own_rank(), own_rank(), piece);
  for (const RemotePiece& remote : plan.outgoing) add_ways(sent, own_rank(), remote.peer, remote.piece);
  for (const RemotePiece& remote : plan.incoming) add_ways(received, remote.peer, own_rank(), remote.piece);
  local = all(local), sent = all(sent), received = all(received);

  std::map<std::int64_t, std::pair<int, std::int64_t>> found;
  std::map<int, std::map<std::pair<int, int>, int>> feeders;  // domain -> (sender, receiver)
  const auto take = [&](const Way& way, std::int64_t place_in_domain) {
    const std::int64_t point = c.layout.domain(way.domain).start[0] + place_in_domain;
    EXPECT_TRUE(found.emplace(point, std::pair{way.sender, way.local}).second) << "point " << point;
    EXPECT_EQ(c.node_of(way.receiver), plan.node_of_domain[static_cast<std::size_t>(way.domain)]);
    ++feeders[way.domain][{way.sender, way.receiver}];
  };
  for (const Way& way : local) take(way, way.global);
  std::map<std::tuple<int, int, int, std::int64_t>, std::int64_t> by_message;  // -> place in the domain
  for (const Way& way : received) by_message[{way.sender, way.receiver, way.domain, way.local}] = way.global;
  EXPECT_EQ(sent.size(), received.size());
  for (const Way& way : sent) {
    const auto there = by_message.find({way.sender, way.receiver, way.domain, way.global});
    ASSERT_NE(there, by_message.end());
    EXPECT_NE(c.node_of(way.sender), c.node_of(way.receiver));
    take(way, there->second);
  }
  EXPECT_EQ(found, c.owners());
  for (const OwnedDomain& owned : plan.owned) {
    EXPECT_EQ(plan.node_of_domain[static_cast<std::size_t>(owned.domain)], roles.node);
    EXPECT_EQ(owned.pieces, feeders[owned.domain].size());
    const Box domain = c.layout.domain(owned.domain);
    std::int64_t points = 0;
    for (const auto& [point, owner] : found)
      if (point >= domain.start[0] && point < domain.stop(0)) ++points;
    if (!roles.leads_node()) continue;
    if (owned.hole_points) {
      for (const PointRun& run : owned.hole_points->runs())
        for (std::int64_t i = 0; i < run.length; ++i, ++points)
          EXPECT_EQ(found.count(domain.start[0] + run.target + i), 0U);
    }
    EXPECT_EQ(points, domain.count[0]);
  }
}

// Pieces of one message have no other description than their order.
void expect_same_order_on_both_sides(const Plan& plan) {
  std::vector<Way> sent, received;
  for (const RemotePiece& p : plan.outgoing)
    sent.push_back({own_rank(), p.peer, p.piece.domain, p.piece.region.count[0], 0});
  for (const RemotePiece& p : plan.incoming)
    received.push_back({p.peer, own_rank(), p.piece.domain, p.piece.region.count[0], 0});
  std::map<std::pair<int, int>, std::vector<std::pair<int, std::int64_t>>> one, other;
  for (const Way& way : all(sent)) one[{way.sender, way.receiver}].emplace_back(way.domain, way.local);
  for (const Way& way : all(received)) other[{way.sender, way.receiver}].emplace_back(way.domain, way.local);
  EXPECT_EQ(one, other);
}

TEST(MakeIndexPlan, brings_each_point_from_its_owner_to_the_node_that_writes_it) {
  Random random(21);
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(fmt::format("case {}", i));
    const Case c(random);
    const roles::Roles roles(MPI_COMM_WORLD, c.emulate());
    const Decomposition own =
        listed(roles, c.size, c.index[static_cast<std::size_t>(own_rank())], true, Owner::lowest_rank);
    const Plan plan = make_index_plan(roles, own, c.layout, {c.home, 0});
    expect_each_point_once(c, roles, plan);
    expect_same_order_on_both_sides(plan);
    if (sum(MPI_COMM_WORLD, testing::Test::HasFailure() ? 1 : 0) > 0) break;  // all ranks stop together
  }
}

// ---- faults, found where the list is declared

Indices stretch(std::int64_t start, std::int64_t length) {
  Indices index;
  for (std::int64_t i = 0; i < length; ++i) index.push_back(start + length - 1 - i);
  return index;
}

TEST(AssignOwners, names_both_ranks_and_a_point_that_they_list_on_every_rank) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const roles::Roles roles(MPI_COMM_WORLD, {2});
  const Indices own = own_rank() == 1 ? stretch(8, 12) : stretch(10 * own_rank(), 10);
  const std::string text =
      thalweg::error_of(THALWEG_ERROR_AGREEMENT, [&] { listed(roles, 10 * ranks(), own, false, Owner::error); });
  for (const char* part : {"'cell'", "rank 0 and rank 1", "point 8", "and 1 more point;", "lowest-rank"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

TEST(AssignOwners, says_how_many_points_nobody_lists_and_the_way_to_intend_them) {
  const roles::Roles roles(MPI_COMM_WORLD, {});
  const Indices own = stretch(10 * own_rank(), own_rank() == ranks() - 1 ? 7 : 10);
  const std::string text =
      thalweg::error_of(THALWEG_ERROR_AGREEMENT, [&] { listed(roles, 10 * ranks(), own, false, Owner::error); });
  for (const std::string& part : {std::string("lists 3 of the"), fmt::format("first of them {}", 10 * ranks() - 3),
                                  std::string("declare the decomposition as masked")})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

TEST(AssignOwners, leaves_nothing_to_a_rank_whose_points_are_all_copies) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const roles::Roles roles(MPI_COMM_WORLD, {2});
  const Decomposition own = listed(roles, 10, stretch(0, 10), false, Owner::lowest_rank);
  EXPECT_EQ(geometry::points_of(own.list->runs), own_rank() == 0 ? 10 : 0);
  const Plan plan = make_index_plan(roles, own, Layout::even({10}, {2}), {1, 0});
  for (const OwnedDomain& owned : plan.owned) EXPECT_EQ(owned.pieces, 1U);
}

}  // namespace
}  // namespace thalweg::transport
