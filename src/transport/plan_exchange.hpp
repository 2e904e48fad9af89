// Makes plans across ranks: a rank tells the nodes that write its pieces about them, and nobody else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "geometry/plan.hpp"
#include "roles/roles.hpp"
#include "transport/agreement.hpp"

namespace thalweg::transport {

// A piece with what a copy of it needs. Of an index list a piece is all points of one domain: its region has as many
// points as are copied, and begins where the domain does.
struct PlannedPiece : geometry::Piece {
  std::shared_ptr<const PointRuns> points;  // null for boxes
};

// A piece that goes to another node by message, or comes from there. All pieces between two ranks travel in one
// message, in the order in which both sides list them.
struct RemotePiece {
  PlannedPiece piece;  // box is that of the sender
  int peer = 0;        // world rank of the other side
};

// What a node knows of a domain that it writes.
struct OwnedDomain {
  int domain = 0;
  std::uint32_t pieces = 0;  // that complete it; 0: nobody feeds it
  std::vector<Box> holes;
  std::shared_ptr<const PointRuns> hole_points;  // holes of an index list, from the domain's first point; null: none
};

// The plan of one decomposition and layout, as seen by one rank.
struct Plan {
  geometry::Layout layout;
  std::vector<int> node_of_domain;
  std::vector<PlannedPiece> local;  // put by this rank into blocks of its node
  std::vector<RemotePiece> outgoing;
  std::vector<RemotePiece> incoming;
  std::vector<OwnedDomain>
      owned;  // of this rank's node, by domain number; holes known to the leader and to writers only
};

// Client boundaries of all ranks. Collective.
geometry::Boundaries all_boundaries(const roles::Roles& roles, const geometry::Decomposition& decomposition);

// Who writes: the nodes of a group of writers, and of these the owner node everything of which there is one domain, and
// what nobody feeds. With several domains each goes to the node that holds most of its cells; those that no such node
// holds any of are dealt to them evenly.
struct Writing {
  int owner_node = 0;
  int group = 0;
};

// Plans. Collective. Errors: AGREEMENT for overlaps and unintended holes, naming ranks and boxes.
Plan make_plan(const roles::Roles& roles, const geometry::Decomposition& decomposition, const geometry::Layout& layout,
               const Writing& writing);

// The two halves: which node writes each domain, and the plan with that or another choice.
std::vector<int> nodes_of_domains(const roles::Roles& roles, const geometry::Decomposition& decomposition,
                                  const geometry::Layout& layout, const Writing& writing);
Plan make_plan(const roles::Roles& roles, const geometry::Decomposition& decomposition, const geometry::Layout& layout,
               std::vector<int> node_of_domain);

// The plan of pieces that cut nothing: each fills its block, or all that contribute to a block have the same.
// node_of_domain: -1 for numbers that stand for nothing. own: the pieces of this rank. Collective.
Plan make_plan(const roles::Roles& roles, std::vector<int> node_of_domain, const std::vector<geometry::Piece>& own);

// ---- steps that plans of boxes and of index lists share. Collective.

// The node that writes each domain, from the cells of each that this rank holds.
std::vector<int> choose_nodes(const roles::Roles& roles, std::vector<long> cells, const Writing& writing);

// Sends the leaders of other nodes and one's own what concerns them; all ranks of a node that write get what its leader
// was sent, because each must know the holes of its blocks.
std::map<int, Bytes> tell_leaders(const roles::Roles& roles, std::map<int, Bytes> offers);

// Tells every rank of the node how many pieces complete a block.
void share_counts(const roles::Roles& roles, Plan& plan);

// Deals ranks of other nodes to those of this node that receive, in turn.
class Receivers {
 public:
  explicit Receivers(const roles::Roles& roles) : roles_(roles) {}
  bool is_remote(int rank) const {
    return std::count(roles_.node_members.begin(), roles_.node_members.end(), rank) == 0;
  }
  int of(int sender) {
    const std::vector<int>& receivers = roles_.groups.receivers_on(roles_.node);
    return receiver_of_.try_emplace(sender, receivers[receiver_of_.size() % receivers.size()]).first->second;
  }

 private:
  const roles::Roles& roles_;
  std::map<int, int> receiver_of_;
};

}  // namespace thalweg::transport
