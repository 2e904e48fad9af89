#pragma once

#include <cstdint>

namespace thalweg::session {

// A number that differs between programs that pack messages, or lay out shared memory, in different ways.
std::uint64_t layout_of_build();

}  // namespace thalweg::session
