#include "roles/roles.hpp"

#include <algorithm>
#include <limits>
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
  know_nodes(node_of, members);
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
  for (const MPI_Comm comm : {model, messages, world.comm(), local.comm()}) world.of(comm).free();
}

}  // namespace thalweg::roles
