// Which values of a piece a float32 cannot hold: copy_box and copy_runs make infinities of them, as IEEE 754 says.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/point_runs.hpp"
#include "transform/copy.hpp"

namespace thalweg::transform {

// How many finite float64 values of the source become infinite float32 ones. source: as of copy_box and copy_runs. It
// reads the piece once more, so it is for those of which it is known that they have some.
std::int64_t count_out_of_range(const BoxCopy& copy, const std::byte* source);
std::int64_t count_out_of_range(const BoxCopy& copy, int along, const PointRuns& runs, const std::byte* source);

}  // namespace thalweg::transform
