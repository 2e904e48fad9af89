// The points of an index list, read from a file. Pure but for the reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/readable_file.hpp"
#include "geometry/index_list.hpp"

namespace thalweg::files {

// The dimension of an array along which its points are listed, and which dimensions of a file that is.
struct PointAxis {
  int along = 0;
  JoinedDimensions joined{};
};

// Values of a record at the points of the runs into the places that they have in the local array. local: the extents of
// that array, which begins at 0. Places of points that are in no run stay as they are. The file is read in spans of at
// most window_bytes, if that is a point or more; of joined dimensions, whole rows are read. Errors: as of reading.
constexpr std::int64_t point_window_bytes = std::int64_t{16} << 20;
void read_points(formats::ReadableFile& file, int variable, std::int64_t record, const Index& local,
                 const PointAxis& axis, std::span<const geometry::IndexRun> runs, std::span<std::byte> values,
                 std::int64_t window_bytes = point_window_bytes);

}  // namespace thalweg::files
