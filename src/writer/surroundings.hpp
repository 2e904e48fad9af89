// All collections of an engine have this in common: whom they tell, where they count, and their way to the storage.
#pragma once

#include "block/command_book.hpp"
#include "profile/counters.hpp"
#include "staging/failure_board.hpp"
#include "staging/process_states.hpp"
#include "staging/wake_ups.hpp"
#include "storage/storage_access.hpp"

namespace thalweg::writer {

struct Surroundings {
  staging::WakeUps& wake_ups;
  staging::ProcessStates& processes;
  staging::FailureBoard& failures;
  block::CommandBook& book;
  profile::WriterCounters& counters;
  storage::StorageAccess& access;
};

}  // namespace thalweg::writer
