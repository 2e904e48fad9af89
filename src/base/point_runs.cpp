#include "base/point_runs.hpp"

#include <algorithm>

namespace thalweg {
namespace {

std::vector<PointRun> joined(std::span<const PointRun> runs) {
  std::vector<PointRun> result;
  for (const PointRun& run : runs) {
    if (run.length <= 0) continue;
    PointRun* last = result.empty() ? nullptr : &result.back();
    if (last != nullptr && last->source + last->length == run.source && last->target + last->length == run.target)
      last->length += run.length;
    else
      result.push_back(run);
  }
  return result;
}

void append(PointRuns::Part& part, std::int64_t source, std::int64_t target, std::int64_t length, bool by_points) {
  const std::int64_t entries = by_points ? length : 1;
  for (std::int64_t i = 0; i < entries; ++i) {
    part.source.push_back(static_cast<std::uint32_t>(source + i));
    part.target.push_back(static_cast<std::uint32_t>(target + i));
    if (!by_points) part.length.push_back(static_cast<std::uint32_t>(length));
  }
}

}  // namespace

PointRuns::PointRuns(std::span<const PointRun> runs, int offset_bits) {
  const std::vector<PointRun> whole = joined(runs);
  for (const PointRun& run : whole) points_ += run.length;
  const bool by_points = points_ < short_run_points * std::ssize(whole);
  const std::int64_t span = std::int64_t{1} << offset_bits;
  for (PointRun rest : whole)
    while (rest.length > 0) {
      const std::int64_t source = rest.source % span;
      const std::int64_t target = rest.target % span;
      const std::int64_t length = std::min({rest.length, span - source, span - target});
      append(part_for(rest.source - source, rest.target - target), source, target, length, by_points);
      rest = {rest.source + length, rest.target + length, rest.length - length};
    }
}

PointRuns::Part& PointRuns::part_for(std::int64_t source_base, std::int64_t target_base) {
  for (Part& part : parts_)
    if (part.source_base == source_base && part.target_base == target_base) return part;
  Part& part = parts_.emplace_back();
  part.source_base = source_base;
  part.target_base = target_base;
  return part;
}

std::vector<PointRun> PointRuns::runs() const {
  std::vector<PointRun> runs;
  for (const Part& part : parts_)
    for (std::size_t i = 0; i < part.size(); ++i)
      runs.push_back({part.source_base + part.source[i], part.target_base + part.target[i], part.length_of(i)});
  return runs;
}

}  // namespace thalweg
