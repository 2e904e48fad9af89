#include "files/read_points.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace thalweg::files {
namespace {

// Rows of an array along one dimension: of each outer index, so many points of so many bytes.
struct Rows {
  std::int64_t outer = 1;
  std::int64_t points = 0;
  std::int64_t point_bytes = 1;
};

Rows rows_of(const Index& extents, int along, std::int64_t element_bytes) {
  Rows rows{1, extents[along], element_bytes};
  for (int d = 0; d < along; ++d) rows.outer *= extents[d];
  for (int d = along + 1; d < extents.rank(); ++d) rows.point_bytes *= extents[d];
  return rows;
}

void copy_points(const Rows& from, std::int64_t from_point, std::span<const std::byte> source, const Rows& to,
                 std::int64_t to_point, std::span<std::byte> target, std::int64_t points) {
  for (std::int64_t outer = 0; outer < from.outer; ++outer)
    std::memcpy(target.data() + (outer * to.points + to_point) * to.point_bytes,
                source.data() + (outer * from.points + from_point) * from.point_bytes,
                static_cast<std::size_t>(points * from.point_bytes));
}

}  // namespace

void read_points(formats::ReadableFile& file, int variable, std::int64_t record, const Index& local,
                 const PointAxis& axis, std::span<const geometry::IndexRun> runs, std::span<std::byte> values,
                 std::int64_t window_bytes) {
  const auto [along, joined] = axis;
  const std::int64_t row = joined.row_points();
  const auto element_bytes = static_cast<std::int64_t>(size_of(file.definition().variable(variable).type));
  const Rows to = rows_of(local, along, element_bytes);
  const std::int64_t most_points = std::max<std::int64_t>(1, window_bytes / (to.outer * to.point_bytes * row)) * row;
  Box window = whole(local);
  std::vector<std::byte> read;
  std::int64_t done = 0;  // points of the first run that is left
  while (!runs.empty()) {
    const std::int64_t begin = (runs.front().global + done) / row * row;
    std::int64_t end = begin;
    for (const geometry::IndexRun& run : runs) {
      if (run.global >= begin + most_points) break;
      end = std::min(run.stop(), begin + most_points);
    }
    end = divide_up(end, row) * row;
    window.start[along] = begin;
    window.count[along] = end - begin;
    read.resize(static_cast<std::size_t>(window.cells() * element_bytes));
    file.read(variable, record, joined.in_file(window), read);
    const Rows from = rows_of(window.count, along, element_bytes);
    while (!runs.empty() && runs.front().global + done < end) {
      const geometry::IndexRun& run = runs.front();
      const std::int64_t points = std::min(run.stop(), end) - run.global - done;
      copy_points(from, run.global + done - begin, read, to, run.local + done, values, points);
      done += points;
      if (done < run.length) break;
      runs = runs.subspan(1);
      done = 0;
    }
  }
}

}  // namespace thalweg::files
