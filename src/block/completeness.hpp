// Whether blocks are complete. Reads shared memory as it is now.
#pragma once

#include <cstdint>

#include "block/node_blocks.hpp"

namespace thalweg::block {

// All blocks of a moment, or of variables without records, have all their pieces.
bool is_complete(const block::CollectionPlan& plan, std::int64_t moment);
bool is_fixed_complete(const block::CollectionPlan& plan);

}  // namespace thalweg::block
