#include "roles/server_groups.hpp"

#include <gtest/gtest.h>

#include "roles/roles.hpp"

namespace thalweg::roles {
namespace {

using Ranks = std::vector<int>;
using Members = std::vector<GroupMember>;

constexpr Member client{.role = Role::client, .writes = false, .receives = false, .group = 0};

Member server_of(int group) {
  return {.role = Role::server, .writes = true, .receives = true, .group = group};
}

TEST(ServerGroups, without_servers_are_one_of_the_writers_of_all_nodes) {
  const Member writer{.role = Role::client, .writes = true, .receives = true, .group = 0};
  const ServerGroups groups({0, 0, 1, 1}, {writer, client, writer, client});
  EXPECT_EQ(groups.count(), 1);
  EXPECT_TRUE(groups.servers().empty());
  EXPECT_EQ(groups.writing_nodes(0), (Ranks{0, 1}));
  EXPECT_EQ(groups.writers_of(7, 1), Ranks{2});
  EXPECT_EQ(groups.receivers_on(1), Ranks{2});
}

// Two groups on three nodes: node 0 has a server of each, node 1 one of the first, node 2 none.
ServerGroups two_on_three_nodes() {
  return {{0, 0, 0, 1, 1, 2}, {client, server_of(0), server_of(1), client, server_of(0), client}};
}

TEST(ServerGroups, know_their_servers_and_nodes) {
  const ServerGroups groups = two_on_three_nodes();
  EXPECT_EQ(groups.count(), 2);
  EXPECT_EQ(groups.servers(), (Members{{1, 0}, {2, 1}, {4, 0}}));
  EXPECT_EQ(groups.writers_on(0), (Members{{1, 0}, {2, 1}}));
  EXPECT_TRUE(groups.writers_on(2).empty());
  EXPECT_EQ(groups.writing_nodes(0), (Ranks{0, 1}));
  EXPECT_EQ(groups.writing_nodes(1), Ranks{0});
}

TEST(ServerGroups, take_turns_with_collections_and_so_do_their_nodes) {
  const ServerGroups groups = two_on_three_nodes();
  EXPECT_EQ(groups.group_of(0), 0);
  EXPECT_EQ(groups.group_of(3), 1);
  EXPECT_EQ(groups.owner_nodes(0), (Ranks{0, 1}));
  EXPECT_EQ(groups.owner_nodes(2), (Ranks{1, 0}));
  EXPECT_EQ(groups.owner_node(4), 0);
  EXPECT_EQ(groups.owner_node(3), 0);
  EXPECT_EQ(groups.writers_of(1, 0), Ranks{2});
  EXPECT_TRUE(groups.writers_of(1, 1).empty()) << "it has no server of that group";
}

TEST(ServerGroups, have_their_writers_of_a_node_take_turns) {
  const ServerGroups groups({0, 0, 0}, {client, server_of(0), server_of(0)});
  EXPECT_EQ(groups.writers_of(0, 0), (Ranks{1, 2}));
  EXPECT_EQ(groups.writers_of(1, 0), (Ranks{2, 1}));
}

TEST(ServerGroups, know_who_only_receives) {
  const Member frontend{.role = Role::server, .writes = false, .receives = true, .group = 0};
  const Member backend{.role = Role::server, .writes = true, .receives = false, .group = 0};
  const ServerGroups groups({0, 1, 1, 1}, {client, frontend, frontend, backend});
  EXPECT_EQ(groups.servers(), (Members{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(groups.receivers_on(1), (Ranks{1, 2}));
  EXPECT_EQ(groups.writers_on(1), (Members{{3, 0}}));
}

TEST(Roles, number_nodes_without_those_that_are_left_out) {
  const Roles roles({0, 2, 2}, {server_of(0), client, server_of(0)}, 1);
  EXPECT_EQ(roles.node, 1);
  EXPECT_EQ(roles.node_count, 2);
  EXPECT_EQ(roles.node_members, (Ranks{2, 1})) << "who writes leads";
  EXPECT_EQ(roles.nodes[1].leader, 2);
  EXPECT_EQ(roles.nodes[0].first_client, -1);
  EXPECT_EQ(roles.contributor(0), 1);
  EXPECT_EQ(roles.groups.writing_nodes(0), (Ranks{0, 1}));
}

}  // namespace
}  // namespace thalweg::roles
