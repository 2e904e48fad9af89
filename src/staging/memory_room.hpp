// How much memory the node still has for staging. Pages beyond it are not refused: the kernel ends a process that
// touches one, and nobody reads why.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace thalweg::staging {

struct MemoryRoom {
  std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
  std::string bound;  // what bounds it, with its numbers
};

// The least of what the machine has available and what the memory cgroups (v1 or v2) of this process leave; caches that
// the kernel gives up and swap are room. root: where /proc and the cgroups are looked for.
MemoryRoom memory_room(const std::string& root = "");

// So many bytes fit, and what it takes to map them in each of the node's ranks.
bool has_room(const MemoryRoom& room, std::int64_t bytes, std::int64_t ranks);
// Throws MEMORY unless they do.
void require_room(const MemoryRoom& room, std::int64_t bytes, std::int64_t ranks);

}  // namespace thalweg::staging
