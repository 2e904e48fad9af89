// Files, made once under a name of their own, to see that they can be made and where their variables begin.
#pragma once

#include <functional>

#include "planning/draft.hpp"

namespace thalweg::planning {

// Runs work that may wait for storage, with a deadline for the others, and tells all ranks of its errors.
using AtStorage = std::function<void(const std::function<void()>&)>;

// Fills the draft's places. Collective. Errors: STORAGE, FORMAT.
void probe_files(Draft& draft, const AtStorage& at_storage);

}  // namespace thalweg::planning
