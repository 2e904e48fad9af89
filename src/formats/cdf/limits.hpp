// What CDF-1 and CDF-2 cannot hold of sizes.
#pragma once

#include "catalog/definition.hpp"

namespace thalweg::formats::cdf {

// Errors: FORMAT.
void check_classic_sizes(const catalog::Definition& definition);

}  // namespace thalweg::formats::cdf
