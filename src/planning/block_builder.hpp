// The blocks of this node: what of which variable, where in the file, where in a slot.
#pragma once

#include "planning/draft.hpp"
#include "planning/piece_parts.hpp"

namespace thalweg::planning {

// Fills the plans of the draft's shares. Collective. Errors: MEMORY.
void plan_blocks(Draft& draft, PointCuts& cuts);

// Where each block lies in a slot of its ring.
void lay_out(Draft& draft);

// Counts the messages of this rank.
void count_messages(Draft& draft);

}  // namespace thalweg::planning
