// Plans of index lists: as for boxes, a rank tells the nodes that write its points about its runs, and nobody else.
#pragma once

#include "geometry/plan.hpp"
#include "roles/roles.hpp"
#include "transport/plan_exchange.hpp"

namespace thalweg::transport {

// Settles once, for all plans to come, which rank writes each point: the index space is cut evenly over the nodes,
// whose leaders compare what ranks list of it. Returns the points that this rank writes, which are the same list if it
// keeps them all. Collective. Errors: AGREEMENT
// for points that two ranks list, unless the lowest rank is to own them, and for unintended holes.
std::shared_ptr<const geometry::IndexList> assign_owners(const roles::Roles& roles,
                                                         const geometry::Decomposition& decomposition,
                                                         config::Owner owner);

// As make_plan, for a decomposition whose owners are settled. Collective.
Plan make_index_plan(const roles::Roles& roles, const geometry::Decomposition& decomposition,
                     const geometry::Layout& layout, const Writing& writing);

}  // namespace thalweg::transport
