// How index spaces are cut into I/O domains.
#pragma once

#include <vector>

#include "geometry/layout.hpp"
#include "planning/draft.hpp"

namespace thalweg::planning {

// Numbers of all decompositions that a collection has variables of, in their order.
std::vector<int> decompositions_of(const catalog::Declaration& declaration);

// How many domains along each dimension. Errors: CONFIG.
Index choose_domains(const Draft& draft, int decomposition);

// The domains of a variable. boundaries: of the decomposition, or null where chunks or index lists cut by themselves.
geometry::Layout choose_layout(const Draft& draft, int variable, const geometry::Boundaries* boundaries);

}  // namespace thalweg::planning
