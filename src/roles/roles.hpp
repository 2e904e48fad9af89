// Who is who: nodes (real or emulated), the rank that leads each, and the communicators between them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace thalweg::roles {

class Roles {
 public:
  // Collective over comm. emulate_nodes: empty: real nodes; one value: that many nodes; several: ranks of each node.
  // Emulated nodes never span real ones. Errors: CONFIG when they do not add up, with the numbers.
  Roles(MPI_Comm comm, const std::vector<std::int64_t>& emulate_nodes);
  ~Roles();
  Roles(const Roles&) = delete;
  Roles& operator=(const Roles&) = delete;

  int rank = 0;
  int size = 1;
  int node = 0;
  int node_count = 1;
  int node_rank = 0;
  int node_size = 1;
  std::vector<int> leaders;       // world rank of each node's leader
  std::vector<int> node_members;  // world ranks of this node, by node rank

  bool leads_node() const { return node_rank == 0; }

  MPI_Comm world = MPI_COMM_NULL;     // collectives of the session
  MPI_Comm model = MPI_COMM_NULL;     // handed to the model
  MPI_Comm messages = MPI_COMM_NULL;  // point to point: pieces and notices
  MPI_Comm local = MPI_COMM_NULL;     // the node
};

// Node number of each of `ranks` ranks under emulation; pure, for tests.
std::vector<int> emulated_nodes(int ranks, const std::vector<std::int64_t>& emulate_nodes);

}  // namespace thalweg::roles
