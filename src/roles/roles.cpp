#include "roles/roles.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "roles/left_communicators.hpp"
#include "roles/meeting.hpp"

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
std::vector<int> number_nodes(const Circle& circle, const Circle& node) {
  const std::vector<int> lowest_of = gather_to_all(circle, reduced(node, circle.rank(), MPI_INT, MPI_MIN));
  std::vector<int> number_of(lowest_of.size(), 0);
  int nodes = 0;
  for (std::size_t r = 0; r < lowest_of.size(); ++r) {
    const auto first = static_cast<std::size_t>(lowest_of[r]);
    number_of[r] = first == r ? nodes++ : number_of[first];
  }
  return number_of;
}

// The ranks that share memory, cut further by emulation. To be freed.
Circle split_nodes(const Circle& circle, const std::vector<std::int64_t>& emulate_nodes) {
  const int rank = circle.rank();
  const std::vector<int> emulated = emulated_nodes(circle.size(), emulate_nodes);
  Circle shared = circle.of(split_by_memory(circle, rank));
  const Circle node = circle.of(split(shared, emulated[static_cast<std::size_t>(rank)], rank));
  shared.free();
  return node;
}

// Which ranks say that their program only serves. Collective.
std::vector<bool> declared(const Circle& circle, bool serves) {
  const std::vector<int> flags = gather_to_all(circle, serves ? 1 : 0);
  return {flags.begin(), flags.end()};
}

// Lower ones get lower ranks in their node: the leader of a node with servers is one that writes.
int order_in_node(const Member& member) {
  if (member.role == Role::server) return member.writes ? 0 : 1;
  return 2;
}

// Nodes that have spares only are none.
std::vector<int> without_gaps(const std::vector<int>& node_of) {
  std::vector<int> numbers = node_of;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<int> number_of;
  for (const int node : node_of)
    number_of.push_back(static_cast<int>(std::ranges::lower_bound(numbers, node) - numbers.begin()));
  return number_of;
}

std::vector<Node> nodes_of(const std::vector<int>& node_of, const std::vector<Member>& members) {
  std::vector<Node> nodes(static_cast<std::size_t>(*std::ranges::max_element(node_of)) + 1);
  for (std::size_t r = 0; r < members.size(); ++r) {
    Node& node = nodes[static_cast<std::size_t>(node_of[r])];
    const auto rank = static_cast<int>(r);
    if (node.leader < 0 || order_in_node(members[r]) < order_in_node(members[static_cast<std::size_t>(node.leader)]))
      node.leader = rank;
    if (node.first_client < 0 && members[r].role == Role::client) node.first_client = rank;
  }
  return nodes;
}

}  // namespace

std::int64_t largest_node(const Circle& circle, const std::vector<std::int64_t>& emulate_nodes) {
  Circle node = split_nodes(circle, emulate_nodes);
  const int size = node.size();
  node.free();
  return reduced(circle, size, MPI_INT, MPI_MAX);
}

Roles::Roles(const Circle& circle, const std::vector<std::int64_t>& emulate_nodes, Placement placement, bool serves) {
  Circle shared = split_nodes(circle, emulate_nodes);
  std::vector<int> node_of = number_nodes(circle, shared);
  placement.declared = declared(circle, serves);
  std::vector<Member> members;
  try {
    members = assign(node_of, placement);
  } catch (...) {  // the same on all ranks
    shared.free();
    throw;
  }
  rank = circle.rank();
  self = members[static_cast<std::size_t>(rank)];
  const bool is_spare = self.role == Role::spare;
  world = circle.of(split(circle, is_spare ? MPI_UNDEFINED : 0, rank));
  if (!is_spare) world.patience()->all_ranks = world;
  local = circle.of(split(shared, is_spare ? MPI_UNDEFINED : 0, order_in_node(self)));
  shared.free();
  if (is_spare) return;
  // From here on without spares.
  for (std::size_t r = members.size(); r-- > 0;)
    if (members[r].role == Role::spare) {
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(r));
      node_of.erase(node_of.begin() + static_cast<std::ptrdiff_t>(r));
    }
  size = world.size();
  rank = world.rank();
  messages = duplicate(world);
  model = split(world, is_client() ? 0 : MPI_UNDEFINED, rank);
  node_rank = local.rank();
  node_size = local.size();
  node_members = gather_to_all(local, rank);
  know_others(node_of, members);
}

Roles::Roles(const std::vector<int>& node_of, const std::vector<Member>& members, int its_rank) {
  rank = its_rank;
  size = static_cast<int>(members.size());
  self = members[static_cast<std::size_t>(rank)];
  for (int r = 0; r < size; ++r)
    if (node_of[static_cast<std::size_t>(r)] == node_of[static_cast<std::size_t>(rank)]) node_members.push_back(r);
  std::ranges::stable_sort(node_members, {},
                           [&](int r) { return order_in_node(members[static_cast<std::size_t>(r)]); });
  node_size = static_cast<int>(node_members.size());
  node_rank = static_cast<int>(std::ranges::find(node_members, rank) - node_members.begin());
  know_others(node_of, members);
}

void Roles::know_others(const std::vector<int>& node_of, const std::vector<Member>& members) {
  const std::vector<int> numbers = without_gaps(node_of);
  nodes = nodes_of(numbers, members);
  node_count = static_cast<int>(nodes.size());
  node = numbers[static_cast<std::size_t>(rank)];
  first_client = static_cast<int>(std::ranges::find(members, Role::client, &Member::role) - members.begin());
  groups = ServerGroups(numbers, members);
}

Roles::~Roles() {
  for (const MPI_Comm comm : {model, messages, world.comm(), local.comm()}) world.of(comm).free();
}

}  // namespace thalweg::roles
