// Paths as MPI-IO takes them.
#pragma once

#include <string>

namespace thalweg::formats {

// What may be the matter with a path that MPI-IO does not open, for the end of a message; may be empty.
inline std::string advice_on_path(const std::string& path) {
  if (path.find(':') == std::string::npos) return "";
  return "; MPI-IO takes what comes before the ':' for the name of a file system: choose another name for 'file'";
}

}  // namespace thalweg::formats
