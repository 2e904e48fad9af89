// Index lists against a model that knows the owner of every point.
#include "geometry/index_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "error_of.hpp"
#include "sanitized.hpp"

namespace thalweg::geometry {
namespace {

using config::Owner;
using Random = std::mt19937_64;
using Indices = std::vector<std::int64_t>;

std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

// ---- the model: for each point, who lists it, in order

std::map<std::int64_t, std::int64_t> first_places(const Indices& index) {
  std::map<std::int64_t, std::int64_t> place;
  for (std::size_t i = 0; i < index.size(); ++i)
    if (index[i] >= 0) place.try_emplace(index[i], static_cast<std::int64_t>(i));
  return place;
}

std::map<std::int64_t, std::int64_t> places_of(const std::vector<IndexRun>& runs) {
  std::map<std::int64_t, std::int64_t> place;
  std::int64_t reached = -1;
  for (const IndexRun& run : runs) {
    EXPECT_GT(run.length, 0);
    EXPECT_GT(run.global, reached) << "runs ascend and are disjoint";
    reached = run.stop() - 1;
    for (std::int64_t i = 0; i < run.length; ++i) place[run.global + i] = run.local + i;
  }
  return place;
}

// Runs of about `mean` points in random order, with negative ones between, and some points twice if asked.
Indices random_list(Random& random, std::int64_t size, std::int64_t mean, bool twice) {
  Indices index;
  std::vector<std::int64_t> starts;
  for (std::int64_t at = draw(random, 0, 2); at < size; at += mean) starts.push_back(at);
  std::shuffle(starts.begin(), starts.end(), random);
  starts.resize(starts.size() * 2 / 3);
  for (const std::int64_t start : starts) {
    const std::int64_t length = draw(random, 1, twice ? 2 * mean : mean);
    for (std::int64_t i = start; i < std::min(size, start + length); ++i) index.push_back(i);
    if (draw(random, 0, 3) == 0) index.push_back(-draw(random, 1, 9));
  }
  return index;
}

TEST(IndexList, knows_the_place_of_every_point) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Indices index = random_list(random, draw(random, 1, 90), draw(random, 1, 12), false);
    const IndexList list = index_list("cell", {90}, index, 0, Owner::error);
    EXPECT_EQ(list.count, std::ssize(index));
    EXPECT_EQ(places_of(list.runs), first_places(index));
  }
}

TEST(IndexList, keeps_the_first_place_of_a_point_that_is_listed_twice) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Indices index = random_list(random, draw(random, 1, 90), draw(random, 1, 12), true);
    const IndexList list = index_list("cell", {90}, index, 0, Owner::lowest_rank);
    EXPECT_EQ(places_of(list.runs), first_places(index));
  }
}

TEST(IndexList, says_which_points_are_copies_of_which) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const Indices index = random_list(random, 90, 1 + round % 5, true);
    const IndexList list = index_list("cell", {90}, index, 0, Owner::lowest_rank);
    Indices got(index.size(), -1);
    for (const IndexRun& run : list.runs)
      for (std::int64_t i = 0; i < run.length; ++i) got[static_cast<std::size_t>(run.local + i)] = run.global + i;
    for (const LocalCopy& copy : list.copies)
      for (std::int64_t i = 0; i < copy.length; ++i) {
        EXPECT_EQ(got[static_cast<std::size_t>(copy.copy + i)], -1);
        got[static_cast<std::size_t>(copy.copy + i)] = got[static_cast<std::size_t>(copy.first + i)];
      }
    Indices wanted = index;
    for (std::int64_t& point : wanted) point = std::max<std::int64_t>(point, -1);
    EXPECT_EQ(got, wanted);
  }
}

TEST(IndexList, is_one_run_where_points_follow_each_other) {
  Indices index(1000);
  std::iota(index.begin(), index.end(), 50);
  EXPECT_EQ(index_list("cell", {1050}, index, 0, Owner::error).runs, (std::vector<IndexRun>{{0, 50, 1000}}));
}

TEST(IndexList, refuses_an_index_that_is_too_large_naming_rank_position_and_value) {
  const Indices index{3, -7, 12, 9};
  const std::string text = error_of(THALWEG_ERROR_SHAPE, [&] { index_list("cell", {10}, index, 5, Owner::error); });
  for (const char* part : {"'cell'", "rank 5", "global index 12", "position 2", "10 points", "from 0 to 9"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

TEST(IndexList, names_a_point_of_several_dimensions_by_its_place) {
  const Indices index{8, 3, 8};
  const std::string text =
      error_of(THALWEG_ERROR_AGREEMENT, [&] { index_list("lat,lon", {4, 5}, index, 0, Owner::error); });
  EXPECT_NE(text.find("lists point 8 at (1, 3) twice, at positions 0 and 2 (counted from 0); list each"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("mark copies by an index below"), std::string::npos) << text;
}

TEST(IndexList, refuses_a_point_listed_twice_naming_both_positions) {
  const Indices index{8, 3, 4, 5, 0, 3, 4};
  const std::string text = error_of(THALWEG_ERROR_AGREEMENT, [&] { index_list("cell", {10}, index, 2, Owner::error); });
  for (const char* part : {"rank 2", "point 3 twice", "positions 1 and 5", "and 1 more point ", "lowest-rank"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

// ---- owners

TEST(FindOwners, gives_every_point_to_the_lowest_claimant_and_finds_what_nobody_claims) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const Stretch domain{draw(random, 0, 50), draw(random, 1, 60)};
    std::vector<Claim> claims;
    std::map<std::int64_t, std::vector<std::int64_t>> claimants;
    for (std::int64_t c = draw(random, 0, 12); c > 0; --c) {
      const std::int64_t start = draw(random, domain.start, domain.stop() - 1);
      const Claim claim{start, draw(random, 1, domain.stop() - start), draw(random, 0, 5)};
      claims.push_back(claim);
      for (std::int64_t p = claim.start; p < claim.stop(); ++p) claimants[p].push_back(claim.claimant);
    }
    const Ownership ownership = find_owners(domain, claims);

    std::map<std::int64_t, std::int64_t> owner, wanted;
    std::int64_t surplus = 0, first_twice = -1;
    for (auto& [point, who] : claimants) {
      wanted[point] = *std::min_element(who.begin(), who.end());
      surplus += std::ssize(who) - 1;
      if (who.size() > 1 && first_twice < 0) first_twice = point;
    }
    for (const Claim& owned : ownership.owned)
      for (std::int64_t p = owned.start; p < owned.stop(); ++p) EXPECT_TRUE(owner.emplace(p, owned.claimant).second);
    EXPECT_EQ(owner, wanted);
    EXPECT_EQ(ownership.surplus, surplus);
    ASSERT_EQ(ownership.conflict.has_value(), first_twice >= 0);
    if (ownership.conflict) {
      EXPECT_EQ(ownership.conflict->point, first_twice);
      const auto& who = claimants[first_twice];
      EXPECT_NE(std::find(who.begin(), who.end(), ownership.conflict->first), who.end());
      EXPECT_NE(std::find(who.begin(), who.end(), ownership.conflict->second), who.end());
    }
    std::int64_t hole_points = 0;
    for (const Stretch& hole : ownership.holes) {
      hole_points += hole.length;
      for (std::int64_t p = hole.start; p < hole.stop(); ++p) EXPECT_EQ(claimants.count(p), 0U);
    }
    EXPECT_EQ(hole_points + std::ssize(wanted), domain.length);
  }
}

TEST(FindOwners, makes_one_stretch_of_a_claim_that_others_only_touch) {
  const Ownership ownership = find_owners({0, 30}, {{0, 30, 1}, {5, 5, 2}, {10, 5, 3}});
  EXPECT_EQ(ownership.owned, (std::vector<Claim>{{0, 30, 1}}));
  EXPECT_EQ(ownership.surplus, 10);
}

// What the lists of several ranks leave, as their claims say it as well.
TEST(Gaps, are_those_that_claims_leave) {
  Random random(13);
  int overlaps = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<std::vector<Stretch>> of_ranks;
    std::vector<Claim> claims;
    for (std::int64_t rank = draw(random, 0, 3); rank > 0; --rank) {
      const Indices index = random_list(random, 60, draw(random, 1, 5), false);
      const std::span some =
          std::span(index).first(std::min(index.size(), static_cast<std::size_t>(draw(random, 0, 9))));
      of_ranks.push_back(stretches_of(index_list("cell", {60}, some, 0, Owner::error).runs));
      for (const Stretch& stretch : of_ranks.back()) claims.push_back({stretch.start, stretch.length, rank});
    }
    const StretchLists lists(of_ranks.begin(), of_ranks.end());
    const Ownership ownership = find_owners({0, 60}, claims);
    const Gaps gaps = gaps_between({0, 60}, lists);
    EXPECT_EQ(gaps.overlap, ownership.conflict.has_value());
    overlaps += gaps.overlap ? 1 : 0;
    std::int64_t points = 0;
    for (const Stretch& hole : ownership.holes) points += hole.length;
    EXPECT_EQ(gaps.points, points);
    if (points > 0) EXPECT_EQ(gaps.first, ownership.holes.front().start);
    const std::int64_t start = draw(random, 0, 40);
    std::set<std::int64_t> wanted, found;  // in a domain that lists reach beyond
    for (const Stretch& hole : ownership.holes)
      for (std::int64_t point = hole.start; point < hole.stop(); ++point)
        if (point >= start && point < start + 20) wanted.insert(point - start);
    for (const PointRun& run : holes_between({start, 20}, lists).runs()) {
      EXPECT_EQ(run.source, run.target);
      for (std::int64_t k = 0; k < run.length; ++k) found.insert(run.target + k);
    }
    EXPECT_EQ(found, wanted);
  }
  EXPECT_GT(overlaps, 50);
}

// ---- cutting

TEST(CutRuns, puts_every_point_into_the_part_that_spans_it) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const std::int64_t size = draw(random, 1, 90);
    const IndexList list =
        index_list("cell", {size}, random_list(random, size, draw(random, 1, 12), false), 0, Owner::error);
    Indices edges{0};
    while (edges.back() < size) edges.push_back(std::min(size, edges.back() + draw(random, 1, 30)));
    std::map<std::int64_t, std::int64_t> together;
    int before = -1;
    for (const IndexPart& part : cut_runs(list.runs, edges)) {
      EXPECT_GT(part.part, before);
      EXPECT_GT(points_of(part), 0);
      before = part.part;
      for (const auto& [point, place] : places_of(part.runs())) {
        EXPECT_GE(point, edges[static_cast<std::size_t>(part.part)]);
        EXPECT_LT(point, edges[static_cast<std::size_t>(part.part) + 1]);
        together[point] = place;
      }
    }
    EXPECT_EQ(together, places_of(list.runs));
  }
}

TEST(Within, keeps_the_points_of_the_stretches) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const IndexList list =
        index_list("cell", {90}, random_list(random, 90, draw(random, 1, 12), false), 0, Owner::error);
    const IndexList other =
        index_list("cell", {90}, random_list(random, 90, draw(random, 1, 12), false), 0, Owner::error);
    auto wanted = places_of(list.runs);
    const auto kept = places_of(other.runs);
    std::erase_if(wanted, [&](const auto& point) { return kept.count(point.first) == 0; });
    EXPECT_EQ(places_of(within(list.runs, stretches_of(other.runs))), wanted);
  }
}

TEST(PackedRuns, lead_where_the_direct_ones_do) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const IndexList list =
        index_list("cell", {90}, random_list(random, 90, draw(random, 1, 12), false), 0, Owner::error);
    const std::int64_t origin = list.runs.empty() ? 0 : list.runs.front().global / 2;
    std::map<std::int64_t, std::int64_t> direct, to_message, by_message;
    for (const PointRun& run : local_to_global(list.runs, origin).runs())
      for (std::int64_t k = 0; k < run.length; ++k) direct[run.target + k] = run.source + k;
    for (const PointRun& run : local_to_packed(list.runs).runs())
      for (std::int64_t k = 0; k < run.length; ++k) to_message[run.target + k] = run.source + k;
    for (const PointRun& run : packed_to_global(stretches_of(list.runs), origin).runs())
      for (std::int64_t k = 0; k < run.length; ++k) by_message[run.target + k] = to_message.at(run.source + k);
    EXPECT_EQ(by_message, direct);
  }
}

// For each target of the parts, counted from the array's first point, where it comes from.
std::map<std::int64_t, std::int64_t> sources_of(const std::vector<ChunkPoints>& parts, std::int64_t chunk_points) {
  std::map<std::int64_t, std::int64_t> source;
  std::int64_t last_chunk = -1;
  for (const ChunkPoints& part : parts) {
    EXPECT_GT(part.chunk, last_chunk) << "chunks ascend";
    last_chunk = part.chunk;
    EXPECT_GT(part.runs->points(), 0);
    for (const PointRun& run : part.runs->runs())
      for (std::int64_t k = 0; k < run.length; ++k) {
        EXPECT_LT(run.target + k, chunk_points);
        source[part.chunk * chunk_points + run.target + k] = run.source + k;
      }
  }
  return source;
}

TEST(CutIntoChunks, leads_every_point_where_it_was_led_before) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t size = draw(random, 1, 300);
    const Indices index = random_list(random, size, draw(random, 1, 30), false);
    const IndexList list = index_list("cell", {size}, index, 0, Owner::error);
    if (list.runs.empty()) continue;
    // Offsets of few bits make several parts, whose targets do not ascend from one to the next.
    const std::vector<PointRun> plain = local_to_global(list.runs, 0).runs();
    const auto runs = std::make_shared<const PointRuns>(plain, static_cast<int>(draw(random, 3, 20)));
    for (const std::int64_t chunk_points : {std::int64_t{1}, draw(random, 1, 40), size})
      EXPECT_EQ(sources_of(cut_into_chunks(runs, chunk_points), chunk_points), sources_of({{0, runs}}, size));
  }
}

TEST(CutIntoChunks, leaves_runs_alone_that_end_in_one_chunk) {
  const std::vector<PointRun> few{{5, 2, 3}};
  const auto runs = std::make_shared<const PointRuns>(few);
  const std::vector<ChunkPoints> parts = cut_into_chunks(runs, 5);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].runs, runs);
  EXPECT_EQ(cut_into_chunks(runs, 4).size(), 2U);
  EXPECT_EQ(cut_into_chunks(runs, 2).front().chunk, 1) << "chunks without points are left out";
}

// 16 ranks with 100,000 pieces of one point each, planned in one process: an own time limit would make the test depend
// on the machine, but anything that is not close to linear would run into that of the whole program.
TEST(IndexScale, sixteen_ranks_with_a_hundred_thousand_single_points_each) {
  const std::int64_t ranks = 16, points = sanitized::fewer(100000);
  Indices all(ranks * points);
  std::iota(all.begin(), all.end(), 0);
  Random random(7);
  std::shuffle(all.begin(), all.end(), random);
  const Indices edges{0, ranks * points / 2, ranks * points};
  std::map<int, std::vector<Claim>> claims;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const std::span own = std::span(all).subspan(static_cast<std::size_t>(rank * points), points);
    const IndexList list = index_list("cell", {ranks * points}, own, static_cast<int>(rank), Owner::error);
    for (const IndexPart& part : cut_runs(list.runs, edges)) {
      for (const Stretch& stretch : stretches_of(part))
        claims[part.part].push_back({stretch.start, stretch.length, rank});
      ASSERT_EQ(local_to_global(part, edges[static_cast<std::size_t>(part.part)]).points(), points_of(part));
    }
  }
  for (int part = 0; part < 2; ++part) {
    const Ownership ownership = find_owners({edges[static_cast<std::size_t>(part)], ranks * points / 2}, claims[part]);
    EXPECT_TRUE(ownership.holes.empty() && !ownership.conflict);
    std::int64_t owned = 0;
    for (const Claim& claim : ownership.owned) owned += claim.length;
    EXPECT_EQ(owned, ranks * points / 2);
  }
}

}  // namespace
}  // namespace thalweg::geometry
