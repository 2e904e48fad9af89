// From who writes a collection to the places of its blocks in their slots: the steps of planning, in order.
#pragma once

#include "planning/draft.hpp"
#include "planning/file_probe.hpp"
#include "planning/piece_parts.hpp"
#include "planning/plan_book.hpp"

namespace thalweg::planning {

// Behind choose_writing. Collective. Errors: AGREEMENT, CONFIG, FORMAT, MEMORY, SHAPE, STORAGE.
void plan_collection(Draft& draft, PlanBook& plans, PointCuts& cuts, const AtStorage& at_storage);

}  // namespace thalweg::planning
