// The name of the computer.
#pragma once

#include <unistd.h>

#include <array>
#include <climits>
#include <string>

namespace thalweg {

// "?": the system does not tell it.
inline std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), HOST_NAME_MAX) == 0 ? name.data() : "?";
}

}  // namespace thalweg
