// The end of definitions: from declarations to layouts, plans, blocks, memory and messages.
#pragma once

#include "client/core.hpp"
#include "client/writer_loads.hpp"

namespace thalweg::client {

// Makes all collections ready that were opened since the last time. loads: what the writers have been given before, to
// which this adds. Collective. Errors: AGREEMENT, CONFIG, FORMAT, MEMORY, SHAPE, STATE, STORAGE.
void prepare_collections(Core& core, WriterLoads& loads);

}  // namespace thalweg::client
