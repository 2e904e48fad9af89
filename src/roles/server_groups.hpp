// What servers do: which ranks write a collection or receive pieces of it, in groups that take turns. Without servers
// the writers of all nodes are one group. Pure.
#pragma once

#include <vector>

#include "roles/assignment.hpp"

namespace thalweg::roles {

// A server, or another rank that owns blocks of its node.
struct GroupMember {
  int rank = 0;
  int group = 0;
  friend bool operator==(const GroupMember&, const GroupMember&) = default;
};

class ServerGroups {
 public:
  ServerGroups() = default;
  // node_of: of each of the members; nodes are numbered without gaps.
  ServerGroups(const std::vector<int>& node_of, const std::vector<Member>& members);

  int count() const { return static_cast<int>(writing_nodes_.size()); }
  const std::vector<GroupMember>& servers() const { return servers_; }
  // Ranks of a node that own blocks, none on nodes of clients only; and those that take pieces from other nodes.
  const std::vector<GroupMember>& writers_on(int node) const { return writers_[static_cast<std::size_t>(node)]; }
  const std::vector<int>& receivers_on(int node) const { return receivers_[static_cast<std::size_t>(node)]; }

  // ---- who writes a collection. Groups take turns with collections, and so do the writers of a node within a group:
  // with whole ones, or several writers with each.
  int group_of(int collection) const { return collection % count(); }
  const std::vector<int>& writing_nodes(int group) const { return writing_nodes_[static_cast<std::size_t>(group)]; }
  // The nodes that may own the files of a collection, first the one whose turn it is; and that one.
  std::vector<int> owner_nodes(int collection) const;
  int owner_node(int collection) const { return owner_nodes(collection).front(); }
  // Ranks on the node that may write the node's part of the collection, first the one whose turn it is; none if the
  // node has no writer of its group.
  std::vector<int> writers_of(int collection, int node) const;

 private:
  void add(int node, int rank, const Member& member);
  void begin_at_turn(int collection, std::vector<int>& of_group) const;

  std::vector<GroupMember> servers_;
  std::vector<std::vector<GroupMember>> writers_;                                   // of each node
  std::vector<std::vector<int>> receivers_;                                         // of each node
  std::vector<std::vector<int>> writing_nodes_ = std::vector<std::vector<int>>(1);  // of each group
};

}  // namespace thalweg::roles
