#include "roles/server_groups.hpp"

#include <algorithm>

namespace thalweg::roles {

ServerGroups::ServerGroups(const std::vector<int>& node_of, const std::vector<Member>& members) {
  const auto nodes = static_cast<std::size_t>(*std::ranges::max_element(node_of)) + 1;
  writers_.resize(nodes);
  receivers_.resize(nodes);
  for (std::size_t rank = 0; rank < members.size(); ++rank) add(node_of[rank], static_cast<int>(rank), members[rank]);
  for (std::size_t node = 0; node < nodes; ++node)
    for (const GroupMember& writer : writers_[node]) {
      std::vector<int>& of_group = writing_nodes_[static_cast<std::size_t>(writer.group)];
      if (of_group.empty() || of_group.back() != static_cast<int>(node)) of_group.push_back(static_cast<int>(node));
    }
}

void ServerGroups::add(int node, int rank, const Member& member) {
  if (member.role == Role::server) servers_.push_back({rank, member.group});
  if (member.receives) receivers_[static_cast<std::size_t>(node)].push_back(rank);
  if (!member.writes) return;
  writers_[static_cast<std::size_t>(node)].push_back({rank, member.group});
  writing_nodes_.resize(std::max(writing_nodes_.size(), static_cast<std::size_t>(member.group) + 1));
}

void ServerGroups::begin_at_turn(int collection, std::vector<int>& of_group) const {
  if (of_group.empty()) return;
  const auto turn = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(collection / count()) % of_group.size());
  std::rotate(of_group.begin(), of_group.begin() + turn, of_group.end());
}

std::vector<int> ServerGroups::owner_nodes(int collection) const {
  std::vector<int> nodes = writing_nodes(group_of(collection));
  begin_at_turn(collection, nodes);
  return nodes;
}

std::vector<int> ServerGroups::writers_of(int collection, int node) const {
  std::vector<int> writers;
  for (const GroupMember& writer : writers_on(node))
    if (writer.group == group_of(collection)) writers.push_back(writer.rank);
  begin_at_turn(collection, writers);
  return writers;
}

}  // namespace thalweg::roles
