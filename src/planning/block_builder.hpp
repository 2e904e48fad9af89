// The blocks of this node: what of which variable, where in the file, where in a slot.
#pragma once

#include "planning/draft.hpp"
#include "planning/piece_parts.hpp"

namespace thalweg::planning {

// Before blocks are described, because what is to be known of them grows with their chunks. Errors: MEMORY for one that
// is far too large.
void require_room_for_blocks(const Draft& draft);

// Fills the plans of the draft's shares.
void plan_blocks(Draft& draft, PointCuts& cuts);

// Where each block lies in a slot of its ring.
void lay_out(Draft& draft);

// Counts the messages of this rank.
void count_messages(Draft& draft);

}  // namespace thalweg::planning
