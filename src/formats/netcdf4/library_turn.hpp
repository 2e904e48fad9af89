// HDF5 and netCDF-C, as most systems build them, bear one thread at a time: threads take turns, in the order in which
// they come.
#pragma once

#include <string>

namespace thalweg::formats::netcdf4 {

// Held in every function that this folder gives to others, as long as it may call either library. What one of them
// calls of another may hold it once more. A thread does not wait longer than the deadline for one turn of another
// thread, whose storage may stand still (formats/patience.hpp), and no more than a tenth of it for one that has lasted
// longer. After some seconds it says whom it waits for.
class LibraryTurn {
 public:
  enum class Late { throws, goes_without };

  // what: this thread is about to do, as in "read 'a.nc'". Errors: DEADLINE, unless it goes without.
  explicit LibraryTurn(const std::string& what = "use HDF5", Late late = Late::throws);
  ~LibraryTurn();
  LibraryTurn(const LibraryTurn&) = delete;
  LibraryTurn& operator=(const LibraryTurn&) = delete;

  explicit operator bool() const { return is_held_; }

 private:
  bool is_held_ = false;
};

}  // namespace thalweg::formats::netcdf4
