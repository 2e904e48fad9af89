// Which ranks MPI-IO lets write when all call together: pure arithmetic.
#pragma once

#include <cstdint>

#include "config/settings.hpp"

namespace thalweg::mpiio {

struct Aggregation {
  std::int64_t io_ranks = 1;  // that open the file
  std::int64_t nodes = 1;     // that they are on
  std::int64_t per_node = 0;  // wanted; 0: as MPI-IO chooses
};

// `asked` completed by the hints that give each node its aggregators; what was asked for by name prevails.
config::Hints with_aggregators(config::Hints asked, const Aggregation& aggregation);

// ROMIO's rule on Lustre: of `aggregators` as many write as there are stripes, at most co_ratio a stripe, or else as
// many as divide the number of stripes, so that no two of them meet in the lock of a stripe. stripe_count 0: no such
// rule. (source: ROMIO, ad_lustre_aggregate.c)
std::int64_t real_aggregators(std::int64_t aggregators, std::int64_t stripe_count, std::int64_t co_ratio = 1);

// Aggregators that a file has with these hints in force: at most one for each rank.
std::int64_t real_aggregators(const config::Hints& hints, const Aggregation& aggregation, std::int64_t stripe_count);

}  // namespace thalweg::mpiio
