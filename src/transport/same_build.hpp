// Programs of one launch that do not understand each other: a model and a server that were built of different versions.
#pragma once

#include <cstdint>
#include <string>

#include "roles/circle.hpp"

namespace thalweg::transport {

struct Build {
  std::string version;
  std::uint64_t layout = 0;  // of messages and of shared memory
};

// Before anything else is sent. Throws AGREEMENT on all ranks, naming both builds, if two differ. Collective, by calls
// and with bytes that must not change from version to version.
void check_same_build(const roles::Circle& circle, const Build& own);

}  // namespace thalweg::transport
