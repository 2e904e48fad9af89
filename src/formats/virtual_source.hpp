// Where a file that has no values of its own shows those of another.
#pragma once

#include <string>
#include <vector>

#include "base/box.hpp"

namespace thalweg::formats {

// The box of a variable that is the whole variable of the same name there.
struct VirtualSource {
  std::string file;  // relative to the folder of the file that shows it
  Box box;
};
using VirtualSources = std::vector<VirtualSource>;  // of one variable

}  // namespace thalweg::formats
