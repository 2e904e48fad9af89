// The end of definitions: from declarations to layouts, plans, blocks, memory and messages.
#pragma once

#include "planning/plan_book.hpp"
#include "planning/writer_loads.hpp"
#include "session/core.hpp"

namespace thalweg::session {

// Makes all collections ready that were opened since the last time. plans, loads: those of the session, to which this
// adds. kept_bytes: of the staging memory, which those leave to later ones as far as they can. Collective. Errors:
// AGREEMENT, CONFIG, FORMAT, MEMORY, SHAPE, STATE, STORAGE.
void prepare_collections(Core& core, const planning::Given& given, planning::PlanBook& plans,
                         planning::WriterLoads& loads, std::int64_t kept_bytes);

// Of the staging memory of a node, for two records of each collection that is sketched.
std::int64_t bytes_for_sketches(const Core& core);

// Whether new collections may need what bursts of earlier ones have in use, on their way to the storage: each is to
// have room for two records.
bool may_want_rooms_of_bursts(const Core& core);

}  // namespace thalweg::session
