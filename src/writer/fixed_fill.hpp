// Variables without records may be put long after the first records, or never: what is committed before shows the fill
// value in their place, and not what the storage had there.
#pragma once

#include <cstdint>
#include <span>

#include "store/orders.hpp"
#include "writer/opened_file.hpp"

namespace thalweg::writer {

// Writes the fill value to all blocks of a file that are not written yet, as far as they have a place in it: the chunks
// of a Zarr store, and those that are encoded, are not there before. offsets: those of the fixed variables' chunks.
void fill_missing_fixed(OpenedFile& file, const store::CollectionPlan& plan, std::span<const std::int64_t> offsets);

}  // namespace thalweg::writer
