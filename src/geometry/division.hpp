// Which of several writers of a node writes each of its blocks. Pure.
#pragma once

#include <cstdint>
#include <vector>

namespace thalweg::geometry {

// A block of a node.
struct Portion {
  std::int64_t place = 0;   // of its I/O domain among those of its variable on the node,
  std::int64_t places = 1;  // which are so many
  std::int64_t bytes = 0;
};

// The share, from 0 to shares - 1, of each portion. A share has neighbours: the same part of every variable where they
// have domains enough, so that all writers have something to do with each of them. The bytes of two shares differ by no
// more than two portions. If there are portions, share 0 has some, and none is without that lies below one with.
std::vector<int> divide(const std::vector<Portion>& portions, int shares);

}  // namespace thalweg::geometry
