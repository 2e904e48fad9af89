// Processors that threads may run on, by their numbers.
#pragma once

#include <vector>

namespace thalweg {

// Those of the calling thread.
std::vector<int> own_processors();

// The calling thread may run on these from now on; none: on those that it may run on already. MPI binds a rank to few
// processors, and its threads inherit that.
void use_processors(const std::vector<int>& processors);

}  // namespace thalweg
