// From who writes a collection to the places of its blocks in their slots: the steps of planning, in order.
#pragma once

#include <list>

#include "planning/draft.hpp"
#include "planning/file_probe.hpp"
#include "planning/piece_parts.hpp"
#include "planning/plan_book.hpp"

namespace thalweg::planning {

// Behind choose_writing: chunks and domains, as far as they follow from what was declared. Errors: CONFIG, FORMAT.
void choose_shapes(Draft& draft);

// All that follows. What ranks do together they do for all collections in one step, because each step costs the time
// until the last of them is there. Collective. Errors: AGREEMENT, CONFIG, FORMAT, MEMORY, SHAPE, STORAGE.
void plan_collections(std::list<Draft>& drafts, PlanBook& plans, PointCuts& cuts, const AtStorage& at_storage);

}  // namespace thalweg::planning
