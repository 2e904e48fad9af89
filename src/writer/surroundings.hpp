// All collections of an engine have this in common: whom they tell, where they count, and their way to the storage.
#pragma once

#include "block/command_book.hpp"
#include "profile/counters.hpp"
#include "staging/control.hpp"
#include "storage/storage_access.hpp"

namespace thalweg::writer {

struct Surroundings {
  staging::Control& control;
  block::CommandBook& book;
  profile::WriterCounters& counters;
  storage::StorageAccess& access;
};

}  // namespace thalweg::writer
