// Who is a client and who a server: arithmetic on ranks and nodes, without MPI.
#pragma once

#include <cstdint>
#include <vector>

#include "config/settings.hpp"

namespace thalweg::roles {

enum class Role {
  client,  // computes and puts
  server,  // only writes, or receives for those who write
  spare,   // neither: left over
};

// What the configuration asks for, beside what the launch gives.
struct Placement {
  config::Writers writers = config::Writers::thread;
  std::int64_t servers = 0;  // ranks (0: one a node), or nodes
  config::Groups groups;
  std::int64_t backends_per_node = 0;  // 0: every server receives and writes
  std::int64_t clients = 0;            // 0: all that are no servers
  std::vector<bool> declared;          // ranks whose program only serves; empty: no such program
  std::int64_t writers_per_node = 1;   // of the model, without servers
};
Placement placement_of(const config::Settings& settings);

struct Member {
  Role role = Role::client;
  bool writes = false;    // owns blocks: a server, or without servers one of the first ranks of a node
  bool receives = false;  // takes pieces that come from other nodes
  int group = 0;          // of a server
};

// node_of: the node of each rank; nodes are numbered from 0 by their lowest ranks. Every rank gets the same answer.
// Errors: CONFIG for what cannot work, with the numbers and what would.
std::vector<Member> assign(const std::vector<int>& node_of, const Placement& placement);

// The group of each of `count` servers, or nodes of servers, in order.
std::vector<int> group_of_each(std::int64_t count, const config::Groups& groups);

}  // namespace thalweg::roles
