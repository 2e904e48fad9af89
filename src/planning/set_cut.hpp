// Sets of files. The same domains of all decompositions of a collection, or what a rank holds of each, make a file;
// every rank knows the sections of all files, and the ranks of a node the blocks of the node's own.
#pragma once

#include "planning/draft.hpp"
#include "planning/plan_book.hpp"

namespace thalweg::planning {

// Fills the draft's set, with the writer of each file, and its plans; the owner node is that of one of the files.
// Collective. Errors: CONFIG, FORMAT.
void cut_set(Draft& draft, PlanBook& plans);

}  // namespace thalweg::planning
