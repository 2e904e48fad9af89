#include "roles/assignment.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::roles {
namespace {

using RanksOfNodes = std::vector<std::vector<std::size_t>>;

RanksOfNodes ranks_of_nodes(const std::vector<int>& node_of) {
  RanksOfNodes ranks(node_of.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(node_of)) + 1);
  for (std::size_t rank = 0; rank < node_of.size(); ++rank)
    ranks[static_cast<std::size_t>(node_of[rank])].push_back(rank);
  return ranks;
}

// Without servers: one rank of each node writes beside computing, and all take what comes from other nodes.
void assign_clients(const RanksOfNodes& nodes, std::vector<Member>& members) {
  for (const auto& ranks : nodes) {
    for (const std::size_t rank : ranks) members[rank] = {Role::client, false, true, 0};
    members[ranks.front()].writes = true;
  }
}

void assign_server_ranks(const RanksOfNodes& nodes, const Placement& placement, std::vector<Member>& members) {
  const auto node_count = static_cast<std::int64_t>(nodes.size());
  const std::int64_t servers = placement.servers > 0 ? placement.servers : node_count;
  const std::vector<int> groups = group_of_each(servers, placement.groups);
  std::size_t next = 0;
  for (std::int64_t node = 0; node < node_count; ++node) {
    const auto& ranks = nodes[static_cast<std::size_t>(node)];
    const std::int64_t here = servers * (node + 1) / node_count - servers * node / node_count;
    if (here >= std::ssize(ranks))
      fail(THALWEG_ERROR_CONFIG,
           "writers: {} servers on {} nodes are {} on node {}, which has {} ranks; every node needs a client as well: "
           "start more ranks, or ask for at most {} servers",
           servers, node_count, here, node, ranks.size(), std::max<std::int64_t>(std::ssize(members) - node_count, 0));
    for (auto rank = ranks.end() - here; rank != ranks.end(); ++rank)
      members[*rank] = {Role::server, true, true, groups[next++]};
  }
}

void assign_server_nodes(const RanksOfNodes& nodes, const Placement& placement, std::vector<Member>& members) {
  if (placement.servers >= std::ssize(nodes))
    fail(THALWEG_ERROR_CONFIG,
         "writers: {} nodes of servers need at least one more for the model, but the session has {} nodes ({} ranks); "
         "start it on {} nodes, or set 'writers: ranks' to have servers on the model's nodes",
         placement.servers, nodes.size(), members.size(), placement.servers + 1);
  const std::vector<int> groups = group_of_each(placement.servers, placement.groups);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t node = nodes.size() - groups.size() + i;
    const auto& ranks = nodes[node];
    const std::int64_t backends = placement.backends_per_node;
    if (backends >= std::ssize(ranks))
      fail(THALWEG_ERROR_CONFIG,
           "writers: backends-per-node is {}, but node {} has {} ranks, and one of them must receive; set at most {}, "
           "or auto, with which every server does both",
           backends, node, ranks.size(), ranks.size() - 1);
    const std::int64_t frontends = std::ssize(ranks) - backends;
    for (std::int64_t k = 0; k < std::ssize(ranks); ++k)
      members[ranks[static_cast<std::size_t>(k)]] = {Role::server, backends == 0 || k >= frontends,
                                                     backends == 0 || k < frontends, groups[i]};
  }
}

// Clients that are more than the model wants idle: the last ones.
void assign_spares(const Placement& placement, std::vector<Member>& members) {
  if (placement.clients == 0) return;
  const std::int64_t clients = std::ranges::count(members, Role::client, &Member::role);
  if (clients < placement.clients)
    fail(THALWEG_ERROR_CONFIG,
         "writers: the model wants {} ranks (clients), but beside {} servers there are {}; start at least {} ranks",
         placement.clients, std::ssize(members) - clients, clients, std::ssize(members) + placement.clients - clients);
  std::int64_t number = 0;
  for (Member& member : members)
    if (member.role == Role::client && number++ >= placement.clients) member = {Role::spare, false, false, 0};
}

}  // namespace

Placement placement_of(const config::Settings& settings) {
  Placement placement;
  placement.writers = settings.writers;
  placement.clients = settings.clients;
  const bool on_nodes = settings.writers == config::Writers::nodes;
  placement.servers = on_nodes ? settings.server_nodes.count : settings.server_ranks.count;
  placement.groups = on_nodes ? settings.server_nodes.groups : settings.server_ranks.groups;
  placement.backends_per_node = on_nodes ? settings.server_nodes.backends_per_node : 0;
  return placement;
}

std::vector<int> group_of_each(std::int64_t count, const config::Groups& groups) {
  std::vector<int> group_of;
  if (groups.size() > 1) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      group_of.insert(group_of.end(), static_cast<std::size_t>(groups[g]), static_cast<int>(g));
    if (std::ssize(group_of) != count)
      fail(THALWEG_ERROR_CONFIG, "writers: the groups have {} servers together, but there are {}", group_of.size(),
           count);
    return group_of;
  }
  const std::int64_t number = groups.empty() ? 1 : groups.front();
  if (number > count)
    fail(THALWEG_ERROR_CONFIG, "writers: {} groups need at least {} servers, but there are {}", number, number, count);
  for (std::int64_t i = 0; i < count; ++i) group_of.push_back(static_cast<int>(i * number / count));
  return group_of;
}

std::vector<Member> assign(const std::vector<int>& node_of, const Placement& placement) {
  std::vector<Member> members(node_of.size());
  const RanksOfNodes nodes = ranks_of_nodes(node_of);
  if (!config::has_servers(placement.writers)) {
    assign_clients(nodes, members);
    return members;
  }
  if (placement.writers == config::Writers::ranks)
    assign_server_ranks(nodes, placement, members);
  else
    assign_server_nodes(nodes, placement, members);
  assign_spares(placement, members);
  return members;
}

}  // namespace thalweg::roles
