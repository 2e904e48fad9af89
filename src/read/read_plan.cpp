#include "read/read_plan.hpp"

#include <algorithm>

namespace thalweg::read {
namespace {

// The runs that reach into a stretch; they ascend.
std::span<const geometry::IndexRun> runs_in(const std::vector<geometry::IndexRun>& runs, std::int64_t start,
                                            std::int64_t stop) {
  const auto first = std::ranges::partition_point(runs, [&](const auto& run) { return run.stop() <= start; });
  const auto last = std::ranges::partition_point(runs, [&](const auto& run) { return run.global < stop; });
  return {first, std::max(first, last)};
}

PointRuns points_between(std::span<const geometry::IndexRun> runs, std::int64_t start, std::int64_t stop, Side side) {
  return PointRuns([&](const PointRuns::Take& take) {
    std::int64_t packed = 0;
    for (const geometry::IndexRun& run : runs) {
      const std::int64_t begin = std::max(run.global, start);
      const std::int64_t length = std::min(run.stop(), stop) - begin;
      if (side == Side::reader)
        take({begin - start, packed, length});
      else
        take({packed, run.local + begin - run.global, length});
      packed += length;
    }
  });
}

std::optional<Share> share_of_list(const Wanted& wanted, Share share, Side side) {
  const int along = wanted.along;
  const std::int64_t start = share.window.start[along];
  const std::int64_t stop = share.window.stop(along);
  const auto runs = runs_in(wanted.runs, start, stop);
  if (runs.empty()) return std::nullopt;
  share.along = along;
  share.points = std::make_shared<PointRuns>(points_between(runs, start, stop, side));
  share.cells = share.packed_count().product();
  return share;
}

}  // namespace

Index Share::packed_count() const {
  Index count = window.count;
  count[along] = points->points();
  return count;
}

std::optional<Share> share_of(const Wanted& wanted, int peer, const Window& window, Side side) {
  Share share;
  share.peer = peer;
  share.window = window.box;
  if (wanted.is_list()) return share_of_list(wanted, std::move(share), side);
  for (const Need& need : wanted.needs)
    if (const auto common = intersect(need.region, window.box)) {
      Need part{*common, need.at, need.mirror};
      for (int d = 0; d < common->rank(); ++d) {
        const std::int64_t further = common->start[d] - need.region.start[d];
        part.at[d] += need.mirror.turns(d) ? -further : further;
      }
      share.needs.push_back(part);
      share.cells += common->cells();
    }
  if (share.needs.empty()) return std::nullopt;
  return share;
}

bool asks(const Wanted& wanted, const std::vector<Window>& windows, int reader) {
  const auto has_some = [&](const Window& window) {
    if (window.reader != reader) return false;
    if (wanted.is_list())
      return !runs_in(wanted.runs, window.box.start[wanted.along], window.box.stop(wanted.along)).empty();
    return std::ranges::any_of(wanted.needs,
                               [&](const Need& need) { return intersect(need.region, window.box).has_value(); });
  };
  return std::ranges::any_of(windows, has_some);
}

ReadPlan plan_of(const std::vector<Window>& windows, const std::vector<int>& readers, int rank, const Wanted& own,
                 const std::vector<Asked>& others) {
  ReadPlan plan;
  plan.rounds.resize(static_cast<std::size_t>(rounds_of(windows, static_cast<int>(readers.size()))));
  std::vector<std::size_t> next(readers.size(), 0);
  for (const Window& window : windows) {
    Round& round = plan.rounds[next[static_cast<std::size_t>(window.reader)]++];
    const int reader = readers[static_cast<std::size_t>(window.reader)];
    if (reader != rank) {
      if (auto share = share_of(own, reader, window, Side::getter)) round.incoming.push_back(std::move(*share));
      continue;
    }
    round.own = share_of(own, rank, window, Side::reader);
    round.own_array = share_of(own, rank, window, Side::getter);
    for (const Asked& asked : others)
      if (auto share = share_of(asked.wanted, asked.rank, window, Side::reader))
        round.outgoing.push_back(std::move(*share));
    if (round.own || !round.outgoing.empty()) round.window = window;
  }
  return plan;
}

ReadPlan plan_alone(const std::vector<Window>& windows, int rank, const Wanted& own) {
  ReadPlan plan;
  plan.alone = true;
  for (const Window& window : windows)
    if (auto share = share_of(own, rank, window, Side::reader))
      plan.rounds.push_back({window, std::move(share), share_of(own, rank, window, Side::getter), {}, {}});
  return plan;
}

}  // namespace thalweg::read
