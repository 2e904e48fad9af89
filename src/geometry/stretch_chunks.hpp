// Chunks of dimensions that an index list joins. Each chunk is a stretch of the joined dimension: whole along the
// faster dimensions, 1 along the slower ones, and between them some rows, as many in every chunk. Pure index
// arithmetic.
#pragma once

#include <cstdint>
#include <optional>

#include "base/box.hpp"

namespace thalweg::geometry {

// The chunk of so many points, or of the next number of points below that makes stretches; above, if there is none of
// half as many.
Index stretch_chunk(const Index& sizes, std::int64_t points);

// What a user said of some of the dimensions (0: nothing), completed for those about which that leaves no choice.
// Nothing: no such chunk is a stretch.
std::optional<Index> completed_stretch(const Index& sizes, const Index& said);

}  // namespace thalweg::geometry
