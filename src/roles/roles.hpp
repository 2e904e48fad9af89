// Who is who: nodes (real or emulated), clients and servers on them, and the communicators between them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "roles/assignment.hpp"
#include "roles/circle.hpp"
#include "roles/server_groups.hpp"

namespace thalweg::roles {

struct Node {
  int leader = -1;        // rank that makes its shared memory and its part of plans
  int first_client = -1;  // its lowest rank that is a client; -1: none
};

// All ranks are those of the session: of the communicator it was given without spares.
class Roles {
 public:
  // Collective over the circle, whose patience the session's have. emulate_nodes: empty: real nodes; one value: that
  // many nodes; several: ranks of each node. Emulated nodes never span real ones. serves: this rank's program is a
  // server. A spare rank gets no more than its role. Errors: CONFIG when they do not add up, or servers cannot be
  // placed, with the numbers.
  explicit Roles(const Circle& circle, const std::vector<std::int64_t>& emulate_nodes = {}, Placement placement = {},
                 bool serves = false);
  // As rank `its_rank` sees these members on these nodes, without communicators: pure, for tests.
  Roles(const std::vector<int>& node_of, const std::vector<Member>& members, int its_rank);
  ~Roles();
  Roles(const Roles&) = delete;
  Roles& operator=(const Roles&) = delete;

  Member self;
  int rank = 0;
  int size = 1;
  int node = 0;
  int node_count = 1;
  int node_rank = 0;
  int node_size = 1;
  std::vector<Node> nodes;
  std::vector<int> node_members;  // ranks of this node, by node rank: writers come first
  int first_client = 0;           // the lowest rank that is a client
  ServerGroups groups;

  bool leads_node() const { return node_rank == 0; }
  bool is_client() const { return self.role == Role::client; }
  // What all clients know or do alike is said by the first of them, once.
  bool speaks_for_clients() const { return rank == first_client; }
  bool has_servers() const { return !groups.servers().empty(); }
  // Messages may come: from other nodes, or between writers of a node and who tells them.
  bool has_peers() const { return node_count > 1 || has_servers() || groups.writers_on(node).size() > 1; }

  // Rank that contributes what all ranks have alike to blocks of a node.
  int contributor(int of_node) const {
    const int on_node = nodes[static_cast<std::size_t>(of_node)].first_client;
    return on_node >= 0 ? on_node : first_client;
  }

  Circle world;                       // collectives of the session
  MPI_Comm model = MPI_COMM_NULL;     // the clients; handed to the model
  MPI_Comm messages = MPI_COMM_NULL;  // point to point
  Circle local;                       // the node

 private:
  void know_others(const std::vector<int>& node_of, const std::vector<Member>& members);
};

// Ranks of the largest node. Collective.
std::int64_t largest_node(const Circle& circle, const std::vector<std::int64_t>& emulate_nodes);

// Node number of each of `ranks` ranks under emulation; pure, for tests.
std::vector<int> emulated_nodes(int ranks, const std::vector<std::int64_t>& emulate_nodes);

}  // namespace thalweg::roles
