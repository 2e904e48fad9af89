// What the clock on the wall says.
#pragma once

#include <chrono>

namespace thalweg {

inline double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace thalweg
