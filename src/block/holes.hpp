// Some cells of a block no client puts: here they get a value.
#pragma once

#include <cstddef>

#include "block/planned_block.hpp"

namespace thalweg::block {

// Gives all of them the fill value. data: the block's first element.
void fill_holes(const PlannedBlock& block, bool big_endian, std::byte* data);

}  // namespace thalweg::block
