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

}  // namespace

std::vector<Need> needs_of(const HaloBox& of, const Index& shape, const std::vector<bool>& periodic) {
  std::vector<Need> needs;
  if (of.box.empty()) return needs;
  needs.emplace_back();
  for (int d = 0; d < of.box.rank(); ++d) {
    std::vector<Need> longer;
    for (const Segment& segment : segments_of(of.box.start[d] - of.low[d], of.box.stop(d) + of.high[d], shape[d],
                                              periodic[static_cast<std::size_t>(d)]))
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

}  // namespace thalweg::read
