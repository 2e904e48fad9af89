// All collections of an engine have this in common: whom they tell, where they count, and their way to the storage.
#pragma once

#include "profile/counters.hpp"
#include "staging/control.hpp"
#include "store/orders.hpp"
#include "writer/storage_access.hpp"

namespace thalweg::writer {

struct Surroundings {
  staging::Control& control;
  store::OrderBook& book;
  profile::WriterCounters& counters;
  StorageAccess& access;
};

}  // namespace thalweg::writer
