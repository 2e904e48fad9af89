// Engine library: which ranks call the library, and with which blocks.
#pragma once

#include "client/collection.hpp"
#include "planning/draft.hpp"
#include "profile/counters.hpp"

namespace thalweg::client {

// Notes settings that have no effect. That is no fault: one tries both engines with the same file.
void note_engine(const planning::Draft& draft);

// Gives a collection its library, on the ranks that call it. Collective.
void hand_to_library(Collection& collection, const planning::Draft& draft, profile::ClientCounters& counters);

}  // namespace thalweg::client
