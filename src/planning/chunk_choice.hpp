// The chunks of variables in formats that have them.
#pragma once

#include "planning/draft.hpp"

namespace thalweg::planning {

// The chunk of a variable, and what of its encoding a chunk so small allows, into the definition. Errors: CONFIG.
void choose_chunk(Draft& draft, int variable);

// What the choice means for readers, for who asks for it (THALWEG_LOG=debug).
void explain_chunks(const Draft& draft);

}  // namespace thalweg::planning
