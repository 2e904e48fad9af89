#include "read/needs.hpp"

#include <algorithm>

namespace thalweg::read {
namespace {

// Of one dimension: cells from `start` on, which are put from `at` on.
struct Segment {
  std::int64_t start = 0;
  std::int64_t count = 0;
  std::int64_t at = 0;
};

// The number of the period that a cell is in, as if the dimension went on for ever.
std::int64_t period_of(std::int64_t cell, std::int64_t extent) {
  return cell >= 0 ? cell / extent : -divide_up(-cell, extent);
}

std::vector<Segment> segments_of(std::int64_t first, std::int64_t stop, std::int64_t extent, bool is_periodic) {
  std::vector<Segment> segments;
  if (first >= stop || extent <= 0) return segments;
  const std::int64_t lowest = is_periodic ? period_of(first, extent) : 0;
  const std::int64_t highest = is_periodic ? period_of(stop - 1, extent) : 0;
  for (std::int64_t period = lowest; period <= highest; ++period) {
    const std::int64_t begin = std::max(first, period * extent);
    const std::int64_t end = std::min(stop, (period + 1) * extent);
    if (begin < end) segments.push_back({begin - period * extent, end - begin, begin - first});
  }
  return segments;
}

// Rows from `first` to `stop` that lie beyond the last one; their places descend.
std::vector<Segment> folded_rows(std::int64_t first, std::int64_t stop, std::int64_t rows, const Fold& fold) {
  const std::int64_t nearest = std::max(first, rows) - rows + 1;  // rows beyond the last one, counted from 1
  const std::int64_t mirror = rows - 1 + fold.row_shift;          // of row k beyond it, k cells further down
  const std::int64_t farthest = std::min(stop - rows, mirror);
  if (nearest > farthest) return {};
  return {{mirror - farthest, farthest - nearest + 1, rows - 1 + farthest - first}};
}

std::vector<Segment> folded_columns(std::int64_t first, std::int64_t stop, std::int64_t columns, const Fold& fold) {
  std::vector<Segment> segments =
      segments_of(fold.column_shift - stop + 1, fold.column_shift - first + 1, columns, true);
  for (Segment& segment : segments) segment.at = stop - 1 - first - segment.at;
  return segments;
}

// Those beyond the fold; without one those of cells that lie as in the file.
std::vector<Need> needs_by(const HaloBox& of, const Index& shape, const Ends& ends, const Fold* fold) {
  std::vector<Need> needs(1);
  if (fold != nullptr) needs.front().mirror = fold->mirror;
  for (int d = 0; d < of.box.rank(); ++d) {
    const std::int64_t first = of.box.start[d] - of.low[d];
    const std::int64_t stop = of.box.stop(d) + of.high[d];
    std::vector<Need> longer;
    const auto segments = fold != nullptr && d == fold->mirror.rows ? folded_rows(first, stop, shape[d], *fold)
                          : fold != nullptr && d == fold->mirror.columns
                              ? folded_columns(first, stop, shape[d], *fold)
                              : segments_of(first, stop, shape[d], ends.periodic[static_cast<std::size_t>(d)]);
    for (const Segment& segment : segments)
      for (Need need : needs) {
        need.region.start.push_back(segment.start);
        need.region.count.push_back(segment.count);
        need.at.push_back(segment.at);
        longer.push_back(need);
      }
    needs = std::move(longer);
  }
  return needs;
}

}  // namespace

std::vector<Need> needs_of(const HaloBox& of, const Index& shape, const Ends& ends) {
  if (of.box.empty()) return {};
  std::vector<Need> needs = needs_by(of, shape, ends, nullptr);
  if (ends.fold) std::ranges::copy(needs_by(of, shape, ends, &*ends.fold), std::back_inserter(needs));
  return needs;
}

}  // namespace thalweg::read
