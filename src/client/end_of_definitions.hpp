// The end of definitions: from declarations to layouts, plans, blocks, memory and messages.
#pragma once

#include "client/core.hpp"
#include "client/plan_book.hpp"
#include "client/writer_loads.hpp"

namespace thalweg::client {

// Makes all collections ready that were opened since the last time. plans, loads: those of the session, to which this
// adds. Collective. Errors: AGREEMENT, CONFIG, FORMAT, MEMORY, SHAPE, STATE, STORAGE.
void prepare_collections(Core& core, const Given& given, PlanBook& plans, WriterLoads& loads);

}  // namespace thalweg::client
