// Boxes that the model did not put when they were wanted, and that have become fill value.
#pragma once

#include <string>

#include "profile/counters.hpp"
#include "put/puts.hpp"

namespace thalweg::put {

// before: what came without it. Where that is an error of the model, it is kept in puts.not_put: what others wait for
// is complete before this rank has an error.
void note_not_put(Puts& puts, VariablePuts& of, const std::string& before, profile::ClientCounters& counters);

}  // namespace thalweg::put
