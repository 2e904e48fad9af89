// All collections of an engine have this in common: whom they tell, where they count, and their way to the storage.
#pragma once

#include "profile/counters.hpp"
#include "staging/control.hpp"
#include "store/command_book.hpp"
#include "store/storage_access.hpp"

namespace thalweg::writer {

struct Surroundings {
  staging::Control& control;
  store::CommandBook& book;
  profile::WriterCounters& counters;
  store::StorageAccess& access;
};

}  // namespace thalweg::writer
