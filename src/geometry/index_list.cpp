#include "geometry/index_list.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/told.hpp"

namespace thalweg::geometry {
namespace {

// In local order. They are kept, so there is no room for more of them than there are.
std::vector<IndexRun> runs_of(std::span<const std::int64_t> index) {
  const auto begins = [&](std::size_t i) {
    return index[i] >= 0 && (i == 0 || index[i] != index[i - 1] + 1 || index[i] == 0);
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < index.size(); ++i) count += begins(i) ? 1 : 0;
  std::vector<IndexRun> runs;
  runs.reserve(count);
  for (std::size_t i = 0; i < index.size(); ++i)
    if (begins(i))
      runs.push_back({static_cast<std::int64_t>(i), index[i], 1});
    else if (index[i] >= 0)
      ++runs.back().length;
  return runs;
}

void check_range(const std::string& dimension, std::int64_t size, std::span<const std::int64_t> index, int rank) {
  const auto wrong = std::find_if(index.begin(), index.end(), [size](std::int64_t global) { return global >= size; });
  if (wrong == index.end()) return;
  fail(THALWEG_ERROR_SHAPE,
       "index list of dimension '{}': rank {} gives global index {} at position {}, but the dimension has {} points: "
       "indices count from {} to {}, positions likewise, and indices below mark points that are not written",
       dimension, rank, told::number(*wrong), told::number(wrong - index.begin()), size, told::first(),
       told::number(size - 1));
}

bool are_disjoint(const std::vector<IndexRun>& runs) {
  return std::adjacent_find(runs.begin(), runs.end(),
                            [](const IndexRun& a, const IndexRun& b) { return a.stop() > b.global; }) == runs.end();
}

// "", or how many more there are of what was told.
std::string others(std::int64_t count) {
  return count == 0 ? "" : fmt::format(", and {}", counted(count, "more point"));
}

// Local minus global index is the same for all points of a run, and of two places of a point the lower one has the
// lower difference: so that is who claims.
std::vector<IndexRun> first_places(const std::string& dimension, const Index& sizes, const std::vector<IndexRun>& runs,
                                   int rank, config::Owner owner) {
  const std::int64_t size = sizes.product();
  std::vector<Claim> claims;
  for (const IndexRun& run : runs) claims.push_back({run.global, run.length, run.local - run.global});
  const Ownership ownership = find_owners({0, size}, std::move(claims));
  if (const auto& twice = ownership.conflict; twice && owner == config::Owner::error)
    fail(THALWEG_ERROR_AGREEMENT,
         "index list of dimension '{}': rank {} lists point {} twice, at positions {} and {}{} (counted from {}); list "
         "each point once, mark copies by an index below, or set 'owner: lowest-rank'",
         dimension, rank, text_of_point(sizes, twice->point),
         told::number(twice->point + std::min(twice->first, twice->second)),
         told::number(twice->point + std::max(twice->first, twice->second)), others(ownership.surplus - 1),
         told::first());
  std::vector<IndexRun> kept;
  for (const Claim& claim : ownership.owned) kept.push_back({claim.start + claim.claimant, claim.start, claim.length});
  return kept;
}

// kept: the first places of the points of the runs; both ascend.
std::vector<LocalCopy> copies_of(const std::vector<IndexRun>& kept, const std::vector<IndexRun>& runs) {
  std::vector<LocalCopy> copies;
  for (const IndexRun& run : runs) {
    auto of = std::ranges::partition_point(kept, [&](const IndexRun& one) { return one.stop() <= run.global; });
    for (; of != kept.end() && of->global < run.stop(); ++of) {
      const std::int64_t start = std::max(run.global, of->global);
      const LocalCopy copy{of->local + start - of->global, run.local + start - run.global,
                           std::min(run.stop(), of->stop()) - start};
      if (copy.first != copy.copy) copies.push_back(copy);
    }
  }
  return copies;
}

// Takes what no list has, from the lowest point on. Returns whether no two lists meet.
template <typename Take>
bool take_gaps(const Stretch& domain, const StretchLists& lists, const Take& take) {
  using Next = std::pair<std::int64_t, std::size_t>;  // where the next stretch of a list begins
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::span<const Stretch>> rest(lists);
  for (std::size_t l = 0; l < rest.size(); ++l) {
    const auto ends_before = [&](const Stretch& stretch) { return stretch.stop() <= domain.start; };
    rest[l] =
        rest[l].subspan(static_cast<std::size_t>(std::ranges::partition_point(rest[l], ends_before) - rest[l].begin()));
    if (!rest[l].empty()) next.emplace(std::max(rest[l].front().start, domain.start), l);
  }
  bool are_apart = true;
  std::int64_t reached = domain.start;
  while (!next.empty() && next.top().first < domain.stop()) {
    const auto [start, l] = next.top();
    next.pop();
    if (start > reached) take(Stretch{reached, start - reached});
    are_apart = are_apart && start >= reached;
    reached = std::max(reached, std::min(rest[l].front().stop(), domain.stop()));
    rest[l] = rest[l].subspan(1);
    if (!rest[l].empty()) next.emplace(rest[l].front().start, l);
  }
  if (reached < domain.stop()) take(Stretch{reached, domain.stop() - reached});
  return are_apart;
}

// Where runs end as what is global.
std::vector<IndexRun> in_targets(const PointRuns& runs) {
  std::size_t count = 0;
  for (const PointRuns::Part& part : runs.parts()) count += part.size();
  std::vector<IndexRun> all;
  all.reserve(count);
  for (const PointRuns::Part& part : runs.parts())
    for (std::size_t i = 0; i < part.size(); ++i)
      all.push_back({part.source_base + part.source[i], part.target_base + part.target[i], part.length_of(i)});
  return all;
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

// "17", or "17 at (1, 5)" where the list numbers the points of several dimensions.
std::string text_of_point(const Index& sizes, std::int64_t point) {
  if (sizes.rank() < 2) return std::to_string(told::number(point));
  Index at = sizes;
  std::int64_t rest = point;
  for (int d = sizes.rank() - 1; d >= 0; rest /= sizes[d], --d) at[d] = rest % sizes[d];
  return fmt::format("{} at {}", told::number(point), told::starts(at));
}

IndexList index_list(const std::string& dimension, const Index& sizes, std::span<const std::int64_t> index, int rank,
                     config::Owner owner) {
  check_range(dimension, sizes.product(), index, rank);
  IndexList list{static_cast<std::int64_t>(index.size()), runs_of(index)};
  std::sort(list.runs.begin(), list.runs.end(),
            [](const IndexRun& a, const IndexRun& b) { return a.global < b.global; });
  if (are_disjoint(list.runs)) return list;
  const std::vector<IndexRun> all = std::exchange(list.runs, {});
  list.runs = first_places(dimension, sizes, all, rank, owner);
  list.copies = copies_of(list.runs, all);
  return list;
}

IndexPart::IndexPart(std::span<const IndexRun> runs) : runs_(runs) {
  if (!runs.empty()) between_ = {runs.front().global, runs.back().stop() - runs.front().global};
}

IndexRun IndexPart::operator[](std::size_t i) const {
  const IndexRun& run = runs_[i];
  const std::int64_t start = std::max(run.global, between_.start);
  return {run.local + start - run.global, start, std::min(run.stop(), between_.stop()) - start};
}

std::vector<IndexRun> IndexPart::runs() const {
  std::vector<IndexRun> all;
  all.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) all.push_back((*this)[i]);
  return all;
}

void take_stretches(const IndexPart& runs, const std::function<void(const Stretch&)>& take) {
  Stretch last{};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const IndexRun run = runs[i];
    const bool goes_on = last.length > 0 && last.stop() == run.global;
    if (!goes_on && last.length > 0) take(last);
    last = goes_on ? Stretch{last.start, last.length + run.length} : Stretch{run.global, run.length};
  }
  if (last.length > 0) take(last);
}

std::vector<Stretch> stretches_of(const IndexPart& runs) {
  std::vector<Stretch> stretches;
  take_stretches(runs, [&](const Stretch& stretch) { stretches.push_back(stretch); });
  return stretches;
}

Gaps gaps_between(const Stretch& domain, const StretchLists& lists) {
  Gaps gaps;
  const bool are_apart = take_gaps(domain, lists, [&](const Stretch& gap) {
    if (gaps.points == 0) gaps.first = gap.start;
    gaps.points += gap.length;
  });
  gaps.overlap = !are_apart;
  return gaps;
}

PointRuns holes_between(const Stretch& domain, const StretchLists& lists) {
  return PointRuns([&](const PointRuns::Take& take) {
    take_gaps(domain, lists,
              [&](const Stretch& hole) { take({hole.start - domain.start, hole.start - domain.start, hole.length}); });
  });
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
  std::size_t first = 0;
  std::int64_t start = runs.empty() ? 0 : runs.front().global;
  while (first < runs.size()) {
    const auto upper = std::upper_bound(edges.begin(), edges.end(), start);
    const int part = static_cast<int>(upper - edges.begin()) - 1;
    const auto begins_before = [&](const IndexRun& run) { return run.global < *upper; };
    const auto rest = runs.subspan(first);
    const auto count = static_cast<std::size_t>(std::ranges::partition_point(rest, begins_before) - rest.begin());
    parts.emplace_back(part, rest.first(count), Stretch{*(upper - 1), *upper - *(upper - 1)});
    const bool reaches_beyond = rest[count - 1].stop() > *upper;
    first += reaches_beyond ? count - 1 : count;
    if (first < runs.size()) start = std::max(runs[first].global, *upper);
  }
  return parts;
}

std::int64_t points_of(const IndexPart& runs) {
  std::int64_t points = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) points += runs[i].length;
  return points;
}

PointRuns local_to_global(const IndexPart& runs, std::int64_t origin) {
  return PointRuns([&](const PointRuns::Take& take) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const IndexRun run = runs[i];
      take({run.local, run.global - origin, run.length});
    }
  });
}

PointRuns local_to_packed(const IndexPart& runs) {
  return PointRuns([&](const PointRuns::Take& take) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const IndexRun run = runs[i];
      take({run.local, place, run.length});
      place += run.length;
    }
  });
}

PointRuns packed_to_global(std::span<const Stretch> stretches, std::int64_t origin) {
  return PointRuns([&](const PointRuns::Take& take) {
    std::int64_t place = 0;
    for (const Stretch& stretch : stretches) {
      take({place, stretch.start - origin, stretch.length});
      place += stretch.length;
    }
  });
}

std::vector<ChunkPoints> cut_into_chunks(const std::shared_ptr<const PointRuns>& runs, std::int64_t chunk_points) {
  std::vector<IndexRun> ordered = in_targets(*runs);
  std::sort(ordered.begin(), ordered.end(), [](const IndexRun& a, const IndexRun& b) { return a.global < b.global; });
  if (ordered.empty()) return {};
  if (ordered.back().stop() <= chunk_points) return {{0, runs}};
  std::vector<std::int64_t> edges{0};
  while (edges.back() < ordered.back().stop()) edges.push_back(edges.back() + chunk_points);
  std::vector<ChunkPoints> chunks;
  for (const IndexPart& part : cut_runs(ordered, edges))
    chunks.push_back(
        {part.part, std::make_shared<PointRuns>(local_to_global(part, edges[static_cast<std::size_t>(part.part)]))});
  return chunks;
}

}  // namespace thalweg::geometry
