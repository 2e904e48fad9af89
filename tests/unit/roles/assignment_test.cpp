#include "roles/assignment.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

namespace thalweg::roles {
namespace {

using config::Writers;
using testing::ElementsAre;
using testing::HasSubstr;

// Nodes of these sizes, one after another.
std::vector<int> nodes(const std::vector<int>& sizes) {
  std::vector<int> node_of;
  for (std::size_t n = 0; n < sizes.size(); ++n)
    node_of.insert(node_of.end(), static_cast<std::size_t>(sizes[n]), static_cast<int>(n));
  return node_of;
}

// A letter a rank: c client, w client that writes, S server that does both, F frontend, B backend, - spare.
std::string letters(const std::vector<Member>& members) {
  std::string text;
  for (const Member& member : members) {
    if (member.role == Role::client) text += member.writes ? 'w' : 'c';
    if (member.role == Role::spare) text += '-';
    if (member.role == Role::server) text += !member.writes ? 'F' : member.receives ? 'S' : 'B';
  }
  return text;
}

std::string groups(const std::vector<Member>& members) {
  std::string text;
  for (const Member& member : members)
    if (member.role == Role::server) text += static_cast<char>('0' + member.group);
  return text;
}

std::string fault(const std::vector<int>& node_of, const Placement& placement) {
  try {
    return letters(assign(node_of, placement));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_CONFIG);
    return error.what();
  }
}

TEST(Assign, has_the_first_rank_of_each_node_write_without_servers) {
  EXPECT_EQ(letters(assign(nodes({3, 2}), {Writers::thread})), "wccwc");
  EXPECT_EQ(letters(assign(nodes({1}), {Writers::sync})), "w");
  EXPECT_EQ(letters(assign(nodes({3, 1}), {.writers_per_node = 2})), "wwcw");
}

TEST(Assign, takes_the_last_ranks_of_each_node_as_servers) {
  EXPECT_EQ(letters(assign(nodes({4}), {Writers::ranks, 1})), "cccS") << "3 + 1 ranks";
  EXPECT_EQ(letters(assign(nodes({4, 3}), {Writers::ranks, 0})), "cccSccS") << "one a node";
  EXPECT_EQ(letters(assign(nodes({4, 4}), {Writers::ranks, 3})), "cccSccSS");
  EXPECT_EQ(letters(assign(nodes({4, 4}), {Writers::ranks, 1})), "cccccccS");
  EXPECT_EQ(letters(assign({0, 1, 0, 1}, {Writers::ranks, 2})), "ccSS") << "ranks dealt to nodes in turn";
  EXPECT_EQ(letters(assign(nodes({4, 4, 1}), {Writers::ranks, 3})), "ccSScccSc") << "every node keeps a client";
}

TEST(Assign, takes_the_last_nodes_as_servers) {
  EXPECT_EQ(letters(assign(nodes({3, 3, 2}), {Writers::nodes, 1})), "ccccccSS");
  EXPECT_EQ(letters(assign(nodes({1, 3, 4}), {Writers::nodes, 2, {}, 1})), "cFFBFFFB");
}

TEST(Assign, cuts_servers_into_groups) {
  EXPECT_EQ(groups(assign(nodes({4, 4}), {Writers::ranks, 4, {2}})), "0011");
  EXPECT_EQ(groups(assign(nodes({2, 2, 2, 2}), {Writers::nodes, 3, {2, 1}})), "000011");
  EXPECT_THAT(group_of_each(5, {2}), ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(group_of_each(3, {}), ElementsAre(0, 0, 0));
}

TEST(Assign, takes_programs_that_only_serve_where_they_are) {
  const auto with = [](std::vector<bool> declared, Placement placement = {}) {
    placement.declared = std::move(declared);
    return placement;
  };
  EXPECT_EQ(letters(assign(nodes({3, 2}), with({false, false, true, false, true}))), "ccScS");
  EXPECT_EQ(letters(assign(nodes({2, 3}), with({false, false, true, true, true}, {Writers::nodes, 1, {}, 1}))),
            "ccFFB");
  EXPECT_EQ(groups(assign(nodes({2, 2}), with({false, true, false, true}, {Writers::ranks, 0, {2}}))), "01");
  EXPECT_THAT(fault(nodes({2}), with({true, true})), HasSubstr("all 2 ranks are servers; start the model beside them"));
  EXPECT_THAT(fault(nodes({3}), with({false, false, true}, {Writers::ranks, 2})),
              HasSubstr("has 2 servers, but 1 programs that only serve were started"));
}

TEST(Assign, leaves_over_what_the_model_does_not_want) {
  EXPECT_EQ(letters(assign(nodes({4, 4, 2}), {Writers::nodes, 1, {}, 0, 6})), "cccccc--SS");
  EXPECT_EQ(letters(assign(nodes({5}), {Writers::ranks, 1, {}, 0, 3})), "ccc-S");
}

TEST(Assign, refuses_what_cannot_work_with_the_numbers) {
  EXPECT_EQ(
      fault(nodes({2}), {Writers::ranks, 2}),
      "writers: 2 servers on 1 node of 2 ranks in all leave no client on some node; start at least 3 ranks, or ask for "
      "at most 1 server");
  EXPECT_EQ(fault(nodes({4}), {Writers::nodes, 1}),
            "writers: 1 node of servers and at least one more for the model are needed, but the session has 1 node (4 "
            "ranks); start it on 2 nodes, or set 'writers: ranks' to have servers on the model's nodes");
  EXPECT_THAT(fault(nodes({2, 2}), {Writers::nodes, 1, {}, 2}), HasSubstr("backends-per-node is 2, but node 1 has 2"));
  EXPECT_EQ(fault(nodes({3, 1}), {Writers::nodes, 1, {}, 0, 5}),
            "writers: the model wants 5 ranks of its own (clients), but beside 1 server there are 3; start at least 6 "
            "ranks");
  EXPECT_THAT(fault(nodes({2, 2}), {Writers::ranks, 2, {3}}), HasSubstr("3 groups need at least 3 servers"));
}

}  // namespace
}  // namespace thalweg::roles
