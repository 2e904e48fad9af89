// Files, made once under a name of their own, to see that they can be made and where their variables begin.
#pragma once

#include <functional>
#include <list>

#include "planning/draft.hpp"

namespace thalweg::planning {

// Runs work that may wait for storage, with a deadline for the others, and tells all ranks of its errors.
using AtStorage = std::function<void(const std::function<void()>&)>;

// Fills the drafts' places, of all collections in one step. Collective. Errors: STORAGE, FORMAT; MEMORY where blocks
// are larger than could be staged.
void probe_files(std::list<Draft>& drafts, const AtStorage& at_storage);

}  // namespace thalweg::planning
