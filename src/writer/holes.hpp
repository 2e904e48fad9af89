// Cells of a block that no client puts.
#pragma once

#include <cstddef>

#include "store/orders.hpp"

namespace thalweg::writer {

// Gives them the fill value. data: the block's first element.
void fill_holes(const store::PlannedBlock& block, bool big_endian, std::byte* data);

}  // namespace thalweg::writer
