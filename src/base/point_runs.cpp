#include "base/point_runs.hpp"

#include <algorithm>

namespace thalweg {
namespace {

// Takes neighbours that continue each other as one.
template <typename TakeOne>
void take_joined(const std::function<void(const PointRuns::Take&)>& all, const TakeOne& take) {
  PointRun last{};
  all([&](const PointRun& run) {
    if (run.length <= 0) return;
    const bool goes_on =
        last.length > 0 && last.source + last.length == run.source && last.target + last.length == run.target;
    if (!goes_on && last.length > 0) take(last);
    last = goes_on ? PointRun{last.source, last.target, last.length + run.length} : run;
  });
  if (last.length > 0) take(last);
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

PointRuns::PointRuns(std::span<const PointRun> runs, int offset_bits)
    : PointRuns(
          [runs](const Take& take) {
            for (const PointRun& run : runs) take(run);
          },
          offset_bits) {}

PointRuns::PointRuns(const std::function<void(const Take&)>& all, int offset_bits) {
  std::int64_t whole = 0;
  take_joined(all, [&](const PointRun& run) {
    points_ += run.length;
    ++whole;
  });
  const bool by_points = points_ < short_run_points * whole;
  const auto entries = static_cast<std::size_t>(by_points ? points_ : whole);
  const std::int64_t span = std::int64_t{1} << offset_bits;
  take_joined(all, [&](PointRun rest) {
    while (rest.length > 0) {
      const std::int64_t source = rest.source % span;
      const std::int64_t target = rest.target % span;
      const std::int64_t length = std::min({rest.length, span - source, span - target});
      Part& part = part_for(rest.source - source, rest.target - target, entries, by_points);
      append(part, source, target, length, by_points);
      rest = {rest.source + length, rest.target + length, rest.length - length};
    }
  });
}

// All but enormous arrays have one part, which has all entries.
PointRuns::Part& PointRuns::part_for(std::int64_t source_base, std::int64_t target_base, std::size_t entries,
                                     bool by_points) {
  for (Part& part : parts_)
    if (part.source_base == source_base && part.target_base == target_base) return part;
  Part& part = parts_.emplace_back();
  part.source_base = source_base;
  part.target_base = target_base;
  if (parts_.size() > 1) return part;
  part.source.reserve(entries);
  part.target.reserve(entries);
  if (!by_points) part.length.reserve(entries);
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
