// What killed runs have left under the partial name of a file, kept beside it.
#pragma once

#include <cstdint>
#include <string>

namespace thalweg::storage {

// Gives what is under the partial name of path, with its journal, another one, which is returned; whoever calls has the
// lock of path. Errors: STORAGE.
std::string keep_aside(const std::string& collection, const std::string& path);

// Removes the oldest of them but so many; config::keep_all: none. What cannot be removed is said and left.
void drop_oldest_kept(const std::string& collection, const std::string& path, std::int64_t keep);

}  // namespace thalweg::storage
