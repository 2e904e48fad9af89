#include "roles/assignment.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"

namespace thalweg::roles {
namespace {

using RanksOfNodes = std::vector<std::vector<std::size_t>>;

RanksOfNodes ranks_of_nodes(const std::vector<int>& node_of) {
  RanksOfNodes ranks(node_of.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(node_of)) + 1);
  for (std::size_t rank = 0; rank < node_of.size(); ++rank)
    ranks[static_cast<std::size_t>(node_of[rank])].push_back(rank);
  return ranks;
}

// Without servers: some ranks of each node write beside computing, and all take what comes from other nodes.
void assign_clients(const RanksOfNodes& nodes, std::int64_t per_node, std::vector<Member>& members) {
  for (const auto& ranks : nodes)
    for (std::int64_t k = 0; k < std::ssize(ranks); ++k)
      members[ranks[static_cast<std::size_t>(k)]] = {Role::client, k < per_node, true, 0};
}

// Evenly, but so that every node keeps a client: what a small node cannot take goes to the others.
std::vector<std::int64_t> servers_of_nodes(const RanksOfNodes& nodes, std::int64_t servers) {
  const auto node_count = static_cast<std::int64_t>(nodes.size());
  std::vector<std::int64_t> of_node;
  std::int64_t left = servers;
  for (std::int64_t node = 0; node < node_count; ++node) {
    const std::int64_t even = servers * (node + 1) / node_count - servers * node / node_count;
    of_node.push_back(std::min(even, std::ssize(nodes[static_cast<std::size_t>(node)]) - 1));
    left -= of_node.back();
  }
  for (std::size_t node = 0; left > 0; node = (node + 1) % nodes.size())
    if (of_node[node] < std::ssize(nodes[node]) - 1) {
      ++of_node[node];
      --left;
    }
  return of_node;
}

void assign_server_ranks(const RanksOfNodes& nodes, const Placement& placement, std::vector<Member>& members) {
  const auto node_count = static_cast<std::int64_t>(nodes.size());
  const std::int64_t servers = placement.servers > 0 ? placement.servers : node_count;
  if (servers > std::ssize(members) - node_count)
    fail(THALWEG_ERROR_CONFIG,
         "writers: {} on {} of {} in all leave no client on some node; start at least {}, or ask for at most {}",
         counted(servers, "server"), counted(node_count, "node"), counted(std::ssize(members), "rank"),
         counted(servers + node_count, "rank"), counted(std::ssize(members) - node_count, "server"));
  const std::vector<int> groups = group_of_each(servers, placement.groups);
  const std::vector<std::int64_t> of_node = servers_of_nodes(nodes, servers);
  std::size_t next = 0;
  for (std::size_t node = 0; node < nodes.size(); ++node)
    for (auto rank = nodes[node].end() - of_node[node]; rank != nodes[node].end(); ++rank)
      members[*rank] = {Role::server, true, true, groups[next++]};
}

void assign_server_nodes(const RanksOfNodes& nodes, const Placement& placement, std::vector<Member>& members) {
  if (placement.servers >= std::ssize(nodes))
    fail(THALWEG_ERROR_CONFIG,
         "writers: {} of servers and at least one more for the model are needed, but the session has {} ({}); start it "
         "on {}, or set 'writers: ranks' to have servers on the model's nodes",
         counted(placement.servers, "node"), counted(std::ssize(nodes), "node"), counted(std::ssize(members), "rank"),
         counted(placement.servers + 1, "node"));
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

// Servers by their program, wherever it was started. On nodes of their own, some may only receive.
void assign_declared(const RanksOfNodes& nodes, const Placement& placement, std::vector<Member>& members) {
  const auto servers = std::ranges::count(placement.declared, true);
  if (servers == std::ssize(members))
    fail(THALWEG_ERROR_CONFIG,
         "writers: all {} ranks are servers; start the model beside them, as in 'mpiexec -n 8 model "
         ": -n 2 thalweg-server ocean.yaml'",
         servers);
  if (placement.writers == config::Writers::ranks && placement.servers > 0 && placement.servers != servers)
    fail(THALWEG_ERROR_CONFIG,
         "writers: the configuration has {} servers, but {} programs that only serve were started; leave the number "
         "out, or start as many",
         placement.servers, servers);
  const std::vector<int> groups = group_of_each(servers, placement.groups);
  std::size_t next = 0;
  for (const auto& ranks : nodes) {
    const auto here = std::ranges::count_if(ranks, [&](std::size_t rank) { return placement.declared[rank]; });
    const std::int64_t backends = here == std::ssize(ranks) ? placement.backends_per_node : 0;
    std::int64_t number = 0;
    for (const std::size_t rank : ranks) {
      if (!placement.declared[rank]) continue;
      const bool is_backend = number++ >= here - backends;
      members[rank] = {Role::server, backends == 0 || is_backend, backends == 0 || !is_backend, groups[next++]};
    }
  }
}

// Clients that are more than the model wants idle: the last ones.
void assign_spares(const Placement& placement, std::vector<Member>& members) {
  if (placement.clients == 0) return;
  const std::int64_t clients = std::ranges::count(members, Role::client, &Member::role);
  if (clients < placement.clients)
    fail(THALWEG_ERROR_CONFIG,
         "writers: the model wants {} of its own (clients), but beside {} there are {}; start at least {}",
         counted(placement.clients, "rank"), counted(std::ssize(members) - clients, "server"), clients,
         counted(std::ssize(members) + placement.clients - clients, "rank"));
  std::int64_t number = 0;
  for (Member& member : members)
    if (member.role == Role::client && number++ >= placement.clients) member = {Role::spare, false, false, 0};
}

}  // namespace

Placement placement_of(const config::Settings& settings) {
  Placement placement;
  placement.writers = settings.writers;
  placement.clients = settings.clients;
  placement.writers_per_node = settings.writers_per_node;
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
  const bool is_declared = std::ranges::count(placement.declared, true) > 0;
  if (!config::has_servers(placement.writers) && !is_declared) {
    assign_clients(nodes, placement.writers_per_node, members);
    return members;
  }
  if (is_declared)
    assign_declared(nodes, placement, members);
  else if (placement.writers == config::Writers::ranks)
    assign_server_ranks(nodes, placement, members);
  else
    assign_server_nodes(nodes, placement, members);
  assign_spares(placement, members);
  return members;
}

}  // namespace thalweg::roles
