// The end of definitions: from declarations to layouts, plans, blocks, memory and messages.
#pragma once

#include "planning/plan_book.hpp"
#include "planning/writer_loads.hpp"
#include "session/core.hpp"

namespace thalweg::session {

// Makes all collections ready that were opened since the last time. plans, loads: those of the session, to which this
// adds. Collective. Errors: AGREEMENT, CONFIG, FORMAT, MEMORY, SHAPE, STATE, STORAGE.
void prepare_collections(Core& core, const planning::Given& given, planning::PlanBook& plans,
                         planning::WriterLoads& loads);

// Whether new collections may need what bursts of earlier ones have in use, on their way to the storage: each is to
// have room for two records.
bool may_want_rooms_of_bursts(const Core& core);

}  // namespace thalweg::session
