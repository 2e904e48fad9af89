// Some cells of a block no client puts: here they get a value.
#pragma once

#include <cstddef>

#include "block/collection_plan.hpp"

namespace thalweg::writer {

// Gives all of them the fill value. data: the block's first element.
void fill_holes(const block::PlannedBlock& block, bool big_endian, std::byte* data);

}  // namespace thalweg::writer
