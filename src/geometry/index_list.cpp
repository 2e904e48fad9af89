#include "geometry/index_list.hpp"

#include <algorithm>
#include <queue>

#include "base/error.hpp"

namespace thalweg::geometry {
namespace {

// In local order.
std::vector<IndexRun> runs_of(std::span<const std::int64_t> index) {
  std::vector<IndexRun> runs;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0) continue;
    const auto local = static_cast<std::int64_t>(i);
    IndexRun* last = runs.empty() ? nullptr : &runs.back();
    if (last != nullptr && last->stop() == index[i] && last->local + last->length == local)
      ++last->length;
    else
      runs.push_back({local, index[i], 1});
  }
  return runs;
}

void check_range(const std::string& dimension, std::int64_t size, std::span<const std::int64_t> index, int rank) {
  const auto wrong = std::find_if(index.begin(), index.end(), [size](std::int64_t global) { return global >= size; });
  if (wrong == index.end()) return;
  fail(THALWEG_ERROR_SHAPE,
       "index list of dimension '{}': rank {} gives global index {} at position {}, but the dimension has {} points: "
       "indices count from 0 to {}, and negative ones mark points that are not written (all counted as in C)",
       dimension, rank, *wrong, wrong - index.begin(), size, size - 1);
}

bool are_disjoint(const std::vector<IndexRun>& runs) {
  return std::adjacent_find(runs.begin(), runs.end(),
                            [](const IndexRun& a, const IndexRun& b) { return a.stop() > b.global; }) == runs.end();
}

// Local minus global index is the same for all points of a run, and of two places of a point the lower one has the
// lower difference: so that is who claims.
std::vector<IndexRun> first_places(const std::string& dimension, std::int64_t size, const std::vector<IndexRun>& runs,
                                   int rank, config::Owner owner) {
  std::vector<Claim> claims;
  for (const IndexRun& run : runs) claims.push_back({run.global, run.length, run.local - run.global});
  const Ownership ownership = find_owners({0, size}, std::move(claims));
  if (const auto& twice = ownership.conflict; twice && owner == config::Owner::error)
    fail(THALWEG_ERROR_AGREEMENT,
         "index list of dimension '{}': rank {} lists point {} twice, at positions {} and {}, and {} more points; list "
         "each point once, mark copies by a negative index, or set 'owner: lowest-rank'",
         dimension, rank, twice->point, twice->point + std::min(twice->first, twice->second),
         twice->point + std::max(twice->first, twice->second), ownership.surplus - 1);
  std::vector<IndexRun> kept;
  for (const Claim& claim : ownership.owned) kept.push_back({claim.start + claim.claimant, claim.start, claim.length});
  return kept;
}

// The claims that hold the sweep's position, the lowest claimant on top; those that have ended are still in it.
class Active {
 public:
  void add(const Claim& claim) { claims_.push(claim); }
  // Null if nobody holds the point.
  const Claim* holder(std::int64_t point) {
    while (!claims_.empty() && claims_.top().stop() <= point) claims_.pop();
    return claims_.empty() ? nullptr : &claims_.top();
  }

 private:
  struct Higher {
    bool operator()(const Claim& a, const Claim& b) const { return a.claimant > b.claimant; }
  };
  std::priority_queue<Claim, std::vector<Claim>, Higher> claims_;
};

void append(std::vector<Claim>& owned, const Claim& claim) {
  if (!owned.empty() && owned.back().claimant == claim.claimant && owned.back().stop() == claim.start)
    owned.back().length += claim.length;
  else
    owned.push_back(claim);
}

// The first point claimed twice is where a claim begins before the one that reaches farthest has ended.
void find_conflict(const std::vector<Claim>& claims, Ownership& ownership) {
  const Claim* farthest = nullptr;
  for (const Claim& claim : claims) {
    if (farthest != nullptr && claim.start < farthest->stop()) {
      if (!ownership.conflict)
        ownership.conflict = Conflict{claim.start, std::min(farthest->claimant, claim.claimant),
                                      std::max(farthest->claimant, claim.claimant)};
      ownership.surplus += std::min(claim.stop(), farthest->stop()) - claim.start;
    }
    if (farthest == nullptr || claim.stop() > farthest->stop()) farthest = &claim;
  }
}

// Claims come rank by rank, each rank's in order: merging what ascends already is far cheaper than sorting.
void sort(std::vector<Claim>& claims) {
  const auto before = [](const Claim& a, const Claim& b) {
    return a.start != b.start ? a.start < b.start : a.claimant < b.claimant;
  };
  std::vector<std::vector<Claim>::iterator> edges;  // of ascending sequences
  for (auto begin = claims.begin(); begin != claims.end(); begin = std::is_sorted_until(begin, claims.end(), before))
    edges.push_back(begin);
  edges.push_back(claims.end());
  while (edges.size() > 2) {
    std::vector<std::vector<Claim>::iterator> merged;
    for (std::size_t i = 0; i + 2 < edges.size(); i += 2) {
      std::inplace_merge(edges[i], edges[i + 1], edges[i + 2], before);
      merged.push_back(edges[i]);
    }
    if (edges.size() % 2 == 0) merged.push_back(edges[edges.size() - 2]);
    merged.push_back(claims.end());
    edges = std::move(merged);
  }
}

// From where the sweep is to the next change, the lowest claimant owns.
void sweep(const Stretch& domain, const std::vector<Claim>& claims, Ownership& ownership) {
  Active active;
  auto next = claims.begin();
  for (std::int64_t at = domain.start; at < domain.stop();) {
    for (; next != claims.end() && next->start == at; ++next) active.add(*next);
    const std::int64_t change = next == claims.end() ? domain.stop() : next->start;
    const Claim* holder = active.holder(at);
    const std::int64_t until = holder == nullptr ? change : std::min(change, holder->stop());
    if (holder == nullptr)
      ownership.holes.push_back({at, until - at});
    else
      append(ownership.owned, {at, until - at, holder->claimant});
    at = until;
  }
}

// Claims of which no two meet.
void take_all(const Stretch& domain, const std::vector<Claim>& claims, Ownership& ownership) {
  std::int64_t reached = domain.start;
  for (const Claim& claim : claims) {
    if (claim.start > reached) ownership.holes.push_back({reached, claim.start - reached});
    append(ownership.owned, claim);
    reached = claim.stop();
  }
  if (reached < domain.stop()) ownership.holes.push_back({reached, domain.stop() - reached});
}

}  // namespace

IndexList index_list(const std::string& dimension, std::int64_t size, std::span<const std::int64_t> index, int rank,
                     config::Owner owner) {
  check_range(dimension, size, index, rank);
  IndexList list{static_cast<std::int64_t>(index.size()), runs_of(index)};
  std::sort(list.runs.begin(), list.runs.end(),
            [](const IndexRun& a, const IndexRun& b) { return a.global < b.global; });
  if (!are_disjoint(list.runs)) list.runs = first_places(dimension, size, list.runs, rank, owner);
  return list;
}

std::vector<Stretch> stretches_of(std::span<const IndexRun> runs) {
  std::vector<Stretch> stretches;
  for (const IndexRun& run : runs) {
    if (!stretches.empty() && stretches.back().stop() == run.global)
      stretches.back().length += run.length;
    else
      stretches.push_back({run.global, run.length});
  }
  return stretches;
}

Ownership find_owners(const Stretch& domain, std::vector<Claim> claims) {
  sort(claims);
  Ownership ownership;
  find_conflict(claims, ownership);
  if (ownership.conflict)
    sweep(domain, claims, ownership);
  else
    take_all(domain, claims, ownership);
  return ownership;
}

std::vector<IndexRun> within(std::span<const IndexRun> runs, std::span<const Stretch> stretches) {
  std::vector<IndexRun> found;
  auto stretch = stretches.begin();
  for (auto run = runs.begin(); run != runs.end() && stretch != stretches.end();) {
    const std::int64_t start = std::max(run->global, stretch->start);
    const std::int64_t stop = std::min(run->stop(), stretch->stop());
    if (start < stop) found.push_back({run->local + start - run->global, start, stop - start});
    if (run->stop() <= stretch->stop())
      ++run;
    else
      ++stretch;
  }
  return found;
}

std::vector<IndexPart> cut_runs(std::span<const IndexRun> runs, std::span<const std::int64_t> edges) {
  std::vector<IndexPart> parts;
  for (IndexRun rest : runs)
    while (rest.length > 0) {
      std::size_t part = parts.empty() ? 0 : static_cast<std::size_t>(parts.back().part);
      if (rest.global >= edges[part + 1])
        part = static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), rest.global) - edges.begin()) - 1;
      if (parts.empty() || parts.back().part != static_cast<int>(part)) parts.push_back({static_cast<int>(part), {}});
      const std::int64_t length = std::min(rest.length, edges[part + 1] - rest.global);
      parts.back().runs.push_back({rest.local, rest.global, length});
      rest = {rest.local + length, rest.global + length, rest.length - length};
    }
  return parts;
}

std::int64_t points_of(std::span<const IndexRun> runs) {
  std::int64_t points = 0;
  for (const IndexRun& run : runs) points += run.length;
  return points;
}

PointRuns local_to_global(std::span<const IndexRun> runs, std::int64_t origin) {
  std::vector<PointRun> ways;
  for (const IndexRun& run : runs) ways.push_back({run.local, run.global - origin, run.length});
  return PointRuns(ways);
}

PointRuns local_to_packed(std::span<const IndexRun> runs) {
  std::vector<PointRun> ways;
  std::int64_t place = 0;
  for (const IndexRun& run : runs) {
    ways.push_back({run.local, place, run.length});
    place += run.length;
  }
  return PointRuns(ways);
}

PointRuns packed_to_global(std::span<const Stretch> stretches, std::int64_t origin) {
  std::vector<PointRun> ways;
  std::int64_t place = 0;
  for (const Stretch& stretch : stretches) {
    ways.push_back({place, stretch.start - origin, stretch.length});
    place += stretch.length;
  }
  return PointRuns(ways);
}

PointRuns in_place(std::span<const Stretch> stretches, std::int64_t origin) {
  std::vector<PointRun> ways;
  for (const Stretch& stretch : stretches)
    ways.push_back({stretch.start - origin, stretch.start - origin, stretch.length});
  return PointRuns(ways);
}

std::vector<ChunkPoints> cut_into_chunks(const std::shared_ptr<const PointRuns>& runs, std::int64_t chunk_points) {
  std::vector<IndexRun> ordered;
  for (const PointRun& run : runs->runs()) ordered.push_back({run.source, run.target, run.length});
  std::sort(ordered.begin(), ordered.end(), [](const IndexRun& a, const IndexRun& b) { return a.global < b.global; });
  if (ordered.empty()) return {};
  if (ordered.back().stop() <= chunk_points) return {{0, runs}};
  std::vector<std::int64_t> edges{0};
  while (edges.back() < ordered.back().stop()) edges.push_back(edges.back() + chunk_points);
  std::vector<ChunkPoints> chunks;
  for (const IndexPart& part : cut_runs(ordered, edges))
    chunks.push_back({part.part, std::make_shared<PointRuns>(
                                     local_to_global(part.runs, edges[static_cast<std::size_t>(part.part)]))});
  return chunks;
}

}  // namespace thalweg::geometry
