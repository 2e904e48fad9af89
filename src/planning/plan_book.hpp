// The plans of a session: each is made once, for all variables and collections that have the same cells in the same
// layout.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planning/draft.hpp"
#include "profile/counters.hpp"
#include "transport/plan_exchange.hpp"

namespace thalweg::planning {

// Making a plan is collective over all ranks; asking again for the same is not. Plans live as long as the book.
class PlanBook {
 public:
  // Both outlive this.
  PlanBook(const Given& given, profile::ClientCounters& counters) : given_(given), counters_(counters) {}

  // Who holds what of the decompositions that files are cut along. Collective.
  void gather_boundaries(const Draft& draft);
  // Null where nothing is cut along them.
  const geometry::Boundaries* boundaries(int decomposition) const;

  const transport::Plan* of(const Draft& draft, int variable);
  // One that was made when the decomposition was declared.
  void keep(int decomposition, const transport::Writing& writing, transport::Plan plan);
  // One domain for each file of a set.
  const transport::Plan* for_nodes(int decomposition, const geometry::Layout& layout, const std::vector<int>& node_of);
  // Every rank puts its own box into a block of its own.
  const transport::Plan* of_ranks(int decomposition, const std::vector<int>& node_of);

 private:
  const transport::Plan* for_layout(int decomposition, const geometry::Layout& layout,
                                    const transport::Writing& writing);
  std::string key_of(int decomposition, const geometry::Layout& layout, const transport::Writing& writing) const;
  const transport::Plan* replicated(int owner_node);
  const transport::Plan* of_coordinate(const Draft& draft);
  const transport::Plan* fill_only(int owner_node);
  const transport::Plan* of_parts(const Draft& draft, int variable);

  const Given& given_;
  profile::ClientCounters& counters_;
  std::map<std::string, std::unique_ptr<transport::Plan>> plans_;  // by cells, layout and owner_node
  std::map<int, geometry::Boundaries> boundaries_;                 // of all ranks, by cells
};

// Where the domains of a collection are written.
transport::Writing writing_of(const Draft& draft);

}  // namespace thalweg::planning
