#include "roles/roles.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "roles/left_communicators.hpp"

namespace thalweg::roles {

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

namespace {

// The node of each rank; nodes are numbered by their lowest ranks, so that node order follows rank order. Collective.
std::vector<int> number_nodes(MPI_Comm comm, MPI_Comm node) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int lowest = rank;
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, node);
  std::vector<int> lowest_of(static_cast<std::size_t>(size));
  MPI_Allgather(&lowest, 1, MPI_INT, lowest_of.data(), 1, MPI_INT, comm);
  std::vector<int> number_of(lowest_of.size(), 0);
  int nodes = 0;
  for (std::size_t r = 0; r < lowest_of.size(); ++r) {
    const auto first = static_cast<std::size_t>(lowest_of[r]);
    number_of[r] = first == r ? nodes++ : number_of[first];
  }
  return number_of;
}

// The ranks of comm that share memory, cut further by emulation. To be freed.
MPI_Comm split_nodes(MPI_Comm comm, const std::vector<std::int64_t>& emulate_nodes) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const std::vector<int> emulated = emulated_nodes(size, emulate_nodes);
  MPI_Comm shared = MPI_COMM_NULL;
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
  MPI_Comm_split(shared, emulated[static_cast<std::size_t>(rank)], rank, &node);
  MPI_Comm_free(&shared);
  return node;
}

// Which ranks say that their program only serves. Collective.
std::vector<bool> declared(MPI_Comm comm, bool serves) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  std::vector<int> flags(static_cast<std::size_t>(size));
  const int own = serves ? 1 : 0;
  MPI_Allgather(&own, 1, MPI_INT, flags.data(), 1, MPI_INT, comm);
  return {flags.begin(), flags.end()};
}

// Lower ones get lower ranks in their node: the leader of a node with servers is one that writes.
int order_in_node(const Member& member) {
  if (member.role == Role::server) return member.writes ? 0 : 1;
  return 2;
}

}  // namespace

std::int64_t largest_node(MPI_Comm comm, const std::vector<std::int64_t>& emulate_nodes) {
  MPI_Comm node = split_nodes(comm, emulate_nodes);
  int size = 0;
  MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_INT, MPI_MAX, comm);
  return size;
}

Roles::Roles(MPI_Comm comm, const std::vector<std::int64_t>& emulate_nodes, Placement placement, bool serves) {
  MPI_Comm shared = split_nodes(comm, emulate_nodes);
  std::vector<int> node_of = number_nodes(comm, shared);
  placement.declared = declared(comm, serves);
  std::vector<Member> members;
  try {
    members = assign(node_of, placement);
  } catch (...) {  // the same on all ranks
    MPI_Comm_free(&shared);
    throw;
  }
  MPI_Comm_rank(comm, &rank);
  self = members[static_cast<std::size_t>(rank)];
  const bool is_spare = self.role == Role::spare;
  MPI_Comm_split(comm, is_spare ? MPI_UNDEFINED : 0, rank, &world);
  MPI_Comm_split(shared, is_spare ? MPI_UNDEFINED : 0, order_in_node(self), &local);
  MPI_Comm_free(&shared);
  if (is_spare) return;
  // From here on without spares.
  for (std::size_t r = members.size(); r-- > 0;)
    if (members[r].role == Role::spare) {
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(r));
      node_of.erase(node_of.begin() + static_cast<std::ptrdiff_t>(r));
    }
  MPI_Comm_size(world, &size);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_dup(world, &messages);
  MPI_Comm_split(world, is_client() ? 0 : MPI_UNDEFINED, rank, &model);
  MPI_Comm_rank(local, &node_rank);
  MPI_Comm_size(local, &node_size);
  node_members.resize(static_cast<std::size_t>(node_size));
  MPI_Allgather(&rank, 1, MPI_INT, node_members.data(), 1, MPI_INT, local);
  know_nodes(node_of, members);
}

// node_of may skip numbers of nodes that have spares only.
void Roles::know_nodes(const std::vector<int>& node_of, const std::vector<Member>& members) {
  std::vector<int> numbers = node_of;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  node_count = static_cast<int>(numbers.size());
  nodes.resize(numbers.size());
  std::vector<int> order(numbers.size(), std::numeric_limits<int>::max());
  first_client = -1;
  for (std::size_t r = 0; r < members.size(); ++r) {
    const auto number = static_cast<std::size_t>(std::ranges::lower_bound(numbers, node_of[r]) - numbers.begin());
    const int its_rank = static_cast<int>(r);
    const Member& member = members[r];
    Node& of = nodes[number];
    if (its_rank == rank) node = static_cast<int>(number);
    if (order_in_node(member) < order[number]) {
      order[number] = order_in_node(member);
      of.leader = its_rank;
    }
    if (member.writes) {
      of.writers.push_back({its_rank, member.group});
      group_count = std::max(group_count, member.group + 1);
    }
    if (member.role == Role::server) {
      servers.push_back(its_rank);
      server_groups.push_back(member.group);
    }
    if (member.role == Role::client && of.first_client < 0) of.first_client = its_rank;
    if (member.role == Role::client && first_client < 0) first_client = its_rank;
  }
  for (const int member : node_members)
    if (members[static_cast<std::size_t>(member)].receives) receivers.push_back(member);
  writing_nodes_.resize(static_cast<std::size_t>(group_count));
  for (int n = 0; n < node_count; ++n)
    for (const Writer& writer : nodes[static_cast<std::size_t>(n)].writers) {
      std::vector<int>& of_group = writing_nodes_[static_cast<std::size_t>(writer.group)];
      if (of_group.empty() || of_group.back() != n) of_group.push_back(n);
    }
}

void Roles::begin_at_turn(int collection, std::vector<int>& of_group) const {
  if (of_group.empty()) return;
  const auto turn = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(collection / group_count) % of_group.size());
  std::rotate(of_group.begin(), of_group.begin() + turn, of_group.end());
}

std::vector<int> Roles::homes_of(int collection) const {
  std::vector<int> homes = writing_nodes(group_of(collection));
  begin_at_turn(collection, homes);
  return homes;
}

std::vector<int> Roles::writers_of(int collection, int of_node) const {
  std::vector<int> writers;
  for (const Writer& writer : nodes[static_cast<std::size_t>(of_node)].writers)
    if (writer.group == group_of(collection)) writers.push_back(writer.rank);
  begin_at_turn(collection, writers);
  return writers;
}

Roles::~Roles() {
  for (MPI_Comm* comm : {&world, &model, &messages, &local}) free_unless_left(*comm);
}

}  // namespace thalweg::roles
