// What a killed run left gets its name.
#pragma once

#include <cstdint>
#include <string>

namespace thalweg::formats {

// Recovers the growing file (formats/format_file.hpp, recover) and gives it its name, on stable storage; the number of
// its records. Refused where somebody writes the file, on this machine or another (storage/name_lock.hpp), and where
// the name is taken. Killed at any moment, it can be called again. Errors: STORAGE, FORMAT.
std::int64_t recover_name(const std::string& partial_path, const std::string& path);

}  // namespace thalweg::formats
