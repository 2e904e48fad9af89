// What each writer of this node has to know of a collection beside its blocks.
#pragma once

#include "planning/draft.hpp"

namespace thalweg::planning {

// Fills the draft's shares, but for their blocks.
void describe_files(Draft& draft);

// By the blocks: which writers take part. Of chunked formats the owner of files learns whose chunks are whose.
void decide_who_takes_part(Draft& draft);

}  // namespace thalweg::planning
