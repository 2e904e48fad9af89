// Joins the files of a set into one, or makes their virtual master, and verifies what was made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace thalweg::sets {

struct CombineOptions {
  std::string set;       // NAME.nc
  std::string output;    // name of the result
  bool copies = false;   // netCDF-4: values are copied, in place of a virtual master
  bool removes = false;  // the parts, when the result is verified
  std::int64_t memory_bytes = std::int64_t{64} << 20;
  // Told of each file before a format library opens it or reads it: a damaged one may be the end of the process.
  std::function<void(const std::string& file)> reading = [](const std::string&) {};
};

struct CombineOutcome {
  std::int64_t parts = 0;
  std::int64_t records = 0;
  std::int64_t dropped_records = 0;  // that some parts have and others lack
  bool is_virtual = false;
};

// What the result is called until it is complete: not as the file of a run is that has not ended, because it cannot be
// recovered.
std::string unfinished_name(const CombineOptions& options);

// Joins the set under another name, verifies that, and gives it its own, which it holds the lock of meanwhile. Whatever
// fails, no file of that name is made or replaced, and no part is removed but those that were read. Needs MPI to be
// initialised.
CombineOutcome combine(const CombineOptions& options);

}  // namespace thalweg::sets
