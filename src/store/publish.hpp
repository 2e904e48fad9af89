// A file or Zarr store that is complete gets its name.
#pragma once

#include <string>

namespace thalweg::store {

// It takes the place of a file or store that has the name. durable: the name itself is on stable storage too.
// Errors: STORAGE.
void publish(const std::string& partial_path, const std::string& path, bool durable);

}  // namespace thalweg::store
