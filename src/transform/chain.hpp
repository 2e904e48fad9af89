// What is done to the bytes of a variable's chunks, one filter after the other.
#pragma once

#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"
#include "transform/filter.hpp"

namespace thalweg::transform {

struct Step {
  const Filter* filter = nullptr;
  FilterCall call;
};

// In the order of the filters' places; checksum_first: the checksum goes before them.
std::vector<Step> chain_of(const catalog::Encoding& encoding, Type type, const config::ChunkRules& rules,
                           bool checksum_first = false);

// Room behind a chunk of so many bytes that is encoded in its place: for a checksum and, where the format has the codec
// even if it gains nothing, for what that adds.
std::int64_t spare_bytes(const catalog::Encoding& encoding, Type type, const config::ChunkRules& rules,
                         std::int64_t bytes);

}  // namespace thalweg::transform
