// The one copy for index lists: as copy.hpp, but along one dimension by runs of points.
#pragma once

#include "base/point_runs.hpp"
#include "transform/copy.hpp"

namespace thalweg::transform {

// Copies the points of the runs with all elements of the other dimensions. count[along] is not looked at; source and
// target point at point 0 of the runs' arrays. Returns the checksum, as copy_box does.
std::uint64_t copy_runs(const BoxCopy& copy, int along, const PointRuns& runs, const std::byte* source,
                        std::byte* target);

// Fills the runs' points in the target with one element given in host order. Returns the checksum.
std::uint64_t fill_runs(const Index& count, const Index& target_stride, int along, const PointRuns& runs, Type type,
                        bool big_endian, Element value, std::byte* target);

}  // namespace thalweg::transform
