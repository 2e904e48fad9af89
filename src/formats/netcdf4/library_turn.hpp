// HDF5 and netCDF-C, as most systems build them, bear one thread at a time: sessions of several threads take turns.
#pragma once

#include <mutex>

namespace thalweg::formats::netcdf4 {

// Held in every function that this folder gives to others, as long as it may call either library. What one of them
// calls of another may hold it once more.
class LibraryTurn {
 public:
  LibraryTurn() : held_(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex the_one;
    return the_one;
  }

  std::lock_guard<std::recursive_mutex> held_;
};

}  // namespace thalweg::formats::netcdf4
