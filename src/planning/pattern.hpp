// What `pattern: auto` means for a collection. Pure.
#pragma once

#include <cstdint>

#include "catalog/definition.hpp"
#include "config/settings.hpp"

namespace thalweg::planning {

// Bytes of a record of the whole file; of a collection without records, of its fixed variables.
std::int64_t bytes_of_record(const catalog::Definition& definition);

// A layout asks for its domains, and several writers on a node are asked for. Otherwise, of several nodes, a record
// pays for what they have to tell each other when it has this much for each of them; and the staging memory of one has
// to hold two records, one that is filled while the other is written.
constexpr std::int64_t shared_bytes_a_node = std::int64_t{4} << 20;
config::Pattern choose_pattern(const config::CollectionSettings& settings, int nodes, int writers,
                               std::int64_t record_bytes, std::int64_t staging_bytes);

constexpr bool makes_set(config::Pattern pattern) {
  return pattern == config::Pattern::per_domain || pattern == config::Pattern::per_rank;
}

}  // namespace thalweg::planning
