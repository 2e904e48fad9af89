// Engine library: which ranks call the library, and with which blocks.
#pragma once

#include <optional>

#include "files/mpiio_files.hpp"
#include "planning/draft.hpp"

namespace thalweg::planning {

// Notes settings that have no effect. That is no fault: one tries both engines with the same file.
void note_engine(const Draft& draft);

// With whom this rank calls the library, and what it passes; nothing, if it does not. Holes of the node's blocks are
// filled here, by its leader. Collective.
std::optional<files::MpiioCallers> mpiio_callers(const Draft& draft);

}  // namespace thalweg::planning
