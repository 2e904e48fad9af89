#include "roles/roles.hpp"

#include <numeric>

#include "base/error.hpp"

namespace thalweg::roles {
namespace {

// Numbers nodes by their lowest world rank, so that node order follows rank order.
void number_nodes(Roles& roles) {
  int first = roles.rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, roles.local);
  MPI_Comm leader_comm = MPI_COMM_NULL;
  MPI_Comm_split(roles.world, roles.leads_node() ? 0 : MPI_UNDEFINED, roles.rank, &leader_comm);
  if (roles.leads_node()) {
    MPI_Comm_rank(leader_comm, &roles.node);
    MPI_Comm_size(leader_comm, &roles.node_count);
    roles.leaders.resize(static_cast<std::size_t>(roles.node_count));
    MPI_Allgather(&first, 1, MPI_INT, roles.leaders.data(), 1, MPI_INT, leader_comm);
    MPI_Comm_free(&leader_comm);
  }
  int numbers[2] = {roles.node, roles.node_count};
  MPI_Bcast(numbers, 2, MPI_INT, 0, roles.local);
  roles.node = numbers[0];
  roles.node_count = numbers[1];
  roles.leaders.resize(static_cast<std::size_t>(roles.node_count));
  MPI_Bcast(roles.leaders.data(), roles.node_count, MPI_INT, 0, roles.local);
}

}  // namespace

std::vector<int> emulated_nodes(int ranks, const std::vector<std::int64_t>& emulate_nodes) {
  std::vector<int> node_of(static_cast<std::size_t>(ranks), 0);
  if (emulate_nodes.empty()) return node_of;
  if (emulate_nodes.size() == 1) {
    const std::int64_t nodes = emulate_nodes.front();
    if (nodes > ranks)
      fail(THALWEG_ERROR_CONFIG, "emulate-nodes: {} nodes need at least {} ranks, but the session has {}", nodes, nodes,
           ranks);
    for (int r = 0; r < ranks; ++r) node_of[static_cast<std::size_t>(r)] = static_cast<int>(r * nodes / ranks);
    return node_of;
  }
  const std::int64_t sum = std::accumulate(emulate_nodes.begin(), emulate_nodes.end(), std::int64_t{0});
  if (sum != ranks)
    fail(THALWEG_ERROR_CONFIG, "emulate-nodes: the ranks of the {} nodes add up to {}, but the session has {} ranks",
         emulate_nodes.size(), sum, ranks);
  std::size_t rank = 0;
  for (std::size_t n = 0; n < emulate_nodes.size(); ++n)
    for (std::int64_t i = 0; i < emulate_nodes[n]; ++i) node_of[rank++] = static_cast<int>(n);
  return node_of;
}

Roles::Roles(MPI_Comm comm, const std::vector<std::int64_t>& emulate_nodes) {
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  const std::vector<int> emulated = emulated_nodes(size, emulate_nodes);
  MPI_Comm_dup(comm, &world);
  MPI_Comm_dup(comm, &model);
  MPI_Comm_dup(comm, &messages);
  MPI_Comm shared = MPI_COMM_NULL;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
  MPI_Comm_split(shared, emulated[static_cast<std::size_t>(rank)], rank, &local);
  MPI_Comm_free(&shared);
  MPI_Comm_rank(local, &node_rank);
  MPI_Comm_size(local, &node_size);
  node_members.resize(static_cast<std::size_t>(node_size));
  MPI_Allgather(&rank, 1, MPI_INT, node_members.data(), 1, MPI_INT, local);
  number_nodes(*this);
}

Roles::~Roles() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  for (MPI_Comm* comm : {&world, &model, &messages, &local})
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}

}  // namespace thalweg::roles
