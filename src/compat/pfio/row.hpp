// NASA's PFIO: its options, its arithmetic of ranks and nodes, and its profiler's table.
#pragma once

#include "compat/registry.hpp"

namespace thalweg::compat::pfio {

extern const compat::Row row;

}  // namespace thalweg::compat::pfio
