#include "files/read_points.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "transform/copy_runs.hpp"

namespace thalweg::files {
namespace {

// From the first point on, so many at a time.
std::vector<std::int64_t> edges_of(std::int64_t first, std::int64_t stop, std::int64_t most_points) {
  std::vector<std::int64_t> edges{first};
  while (edges.back() < stop) edges.push_back(edges.back() + most_points);
  return edges;
}

PointRuns window_to_local(const geometry::IndexPart& runs, std::int64_t begin) {
  return PointRuns([&](const PointRuns::Take& take) {
    for (std::size_t i = 0; i < runs.size(); ++i) take({runs[i].global - begin, runs[i].local, runs[i].length});
  });
}

}  // namespace

void read_points(formats::ReadableFile& file, int variable, std::int64_t record, const Index& local,
                 const PointAxis& axis, std::span<const geometry::IndexRun> runs, std::span<std::byte> values,
                 std::int64_t window_bytes) {
  if (runs.empty() || values.empty()) return;
  const auto [along, joined] = axis;
  const Type type = file.definition().variable(variable).type;
  const auto element_bytes = static_cast<std::int64_t>(size_of(type));
  const std::int64_t row = joined.row_points();
  Box window = whole(local);
  window.count[along] = row;
  const std::int64_t most_points = std::max<std::int64_t>(1, window_bytes / (window.cells() * element_bytes)) * row;
  std::vector<std::byte> read;
  for (const geometry::IndexPart& part :
       geometry::cut_runs(runs, edges_of(runs.front().global / row * row, runs.back().stop(), most_points))) {
    window.start[along] = part[0].global / row * row;
    window.count[along] = divide_up(part[part.size() - 1].stop(), row) * row - window.start[along];
    read.resize(static_cast<std::size_t>(window.cells() * element_bytes));
    file.read(variable, record, joined.in_file(window), read);
    const transform::BoxCopy copy{.count = window.count,
                                  .source_stride = contiguous_strides(window.count, element_bytes),
                                  .target_stride = contiguous_strides(local, element_bytes),
                                  .source_type = type,
                                  .target_type = type,
                                  .big_endian = std::endian::native == std::endian::big};
    transform::copy_runs(copy, along, window_to_local(part, window.start[along]), read.data(), values.data());
  }
}

}  // namespace thalweg::files
