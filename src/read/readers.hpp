// Who reads, by `reading` of the configuration. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "config/settings.hpp"

namespace thalweg::read {

struct Readers {
  bool alone = false;      // each rank reads what it wants
  std::vector<int> ranks;  // or these, which give the others their shares
};

// Of a record of so many bytes; node_of: the node of each rank. is_loose: any cells may be read by themselves, because
// they lie in no chunks, and nobody adds all of them up.
Readers readers_of(config::Reading reading, std::int64_t bytes, const std::vector<int>& node_of, bool is_loose);

// How many threads of a rank decode what it reads, so that those of all readers of its node have a processor each of so
// many.
int threads_to_decode(const Readers& readers, int rank, const std::vector<int>& node_of, std::int64_t processors);

}  // namespace thalweg::read
