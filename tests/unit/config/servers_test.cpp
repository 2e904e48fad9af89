#include <gmock/gmock.h>

#include "config/loading.hpp"

namespace thalweg::config {
namespace {

using testing::ElementsAre;

class ConfigServers : public CleanEnvironment {};

TEST_F(ConfigServers, are_placed_by_their_numbers) {
  const Settings ranks = load("writers: {ranks: 2}");
  EXPECT_EQ(ranks.writers, Writers::ranks);
  EXPECT_EQ(ranks.server_ranks.count, 2);
  const Settings nodes = load("writers: {nodes: {count: 3, backends-per-node: 2, groups: [2, 1]}, clients: 8}");
  EXPECT_EQ(nodes.writers, Writers::nodes);
  EXPECT_EQ(nodes.server_nodes.count, 3);
  EXPECT_EQ(nodes.server_nodes.backends_per_node, 2);
  EXPECT_THAT(nodes.server_nodes.groups, ElementsAre(2, 1));
  EXPECT_EQ(nodes.clients, 8);
}

TEST_F(ConfigServers, have_counts_of_their_own_if_none_is_said) {
  EXPECT_EQ(load("writers: ranks").writers, Writers::ranks);
  EXPECT_EQ(load("writers: nodes").server_nodes.count, 1);
  EXPECT_EQ(load("writers: {ranks: {groups: 2}}").writers, Writers::ranks);
  EXPECT_EQ(load("writers: {nodes: {groups: 2}}").writers, Writers::nodes);
  EXPECT_EQ(load("writers: {nodes: {groups: [2, 1]}}").writers, Writers::nodes);
}

TEST_F(ConfigServers, come_from_the_environment_too_which_prevails) {
  setenv("THALWEG_WRITERS", "{ranks: 3}", 1);
  EXPECT_EQ(load("").server_ranks.count, 3);
  EXPECT_EQ(load("").writers, Writers::ranks);
  setenv("THALWEG_WRITERS", "sync", 1);
  EXPECT_EQ(load("writers: {ranks: 2}").writers, Writers::sync);
  setenv("THALWEG_WRITERS", "{ranks: 3}", 1);
  for (const char* file : {"writers: thread", "writers: sync", "writers: {nodes: 2}", "writers: {ranks: 5}",
                           "writers: {nodes: {count: 2, groups: 2}}", "writers: {place: nodes, nodes: 2}",
                           "writers: {ranks: {count: 9, groups: 9}}"}) {
    EXPECT_EQ(load(file).writers, Writers::ranks) << file;
    EXPECT_EQ(load(file).server_ranks.count, 3) << file;
  }
  setenv("THALWEG_WRITERS", "{nodes: 2}", 1);
  EXPECT_EQ(load("writers: thread").writers, Writers::nodes);
  EXPECT_EQ(load("writers: {ranks: 2}").server_nodes.count, 2);
  EXPECT_EQ(load("writers: {ranks: 2}").server_ranks.count, 0);
  setenv("THALWEG_WRITERS", "ranks", 1);
  EXPECT_EQ(load("writers: {nodes: 2}").writers, Writers::ranks);
  EXPECT_EQ(load("writers: {ranks: 2}").server_ranks.count, 2);
  setenv("THALWEG_WRITERS", "{assign: idle}", 1);
  EXPECT_EQ(load("writers: {ranks: 2}").server_ranks.count, 2);
  setenv("THALWEG_WRITERS", "{clients: 3}", 1);
  EXPECT_EQ(load("writers: {ranks: 2}").clients, 3);
  setenv("THALWEG_WRITERS", "{ranks: 1, nodes: 1}", 1);
  EXPECT_NE(fault("writers: thread").find("leave one out"), std::string::npos);
  setenv("THALWEG_WRITERS", "{ranks: none}", 1);
  EXPECT_EQ(fault(""), "environment THALWEG_WRITERS: error: ranks: 'none' is no whole number");
}

TEST_F(ConfigServers, contradictions_are_refused) {
  EXPECT_EQ(fault("writers: {ranks: 2, nodes: 1}"),
            "ocean.yaml:1:28: error: writers: servers are either 'ranks' on the model's nodes or 'nodes' of their own; "
            "leave one out");
  EXPECT_EQ(fault("writers: {place: thread, ranks: 2}"),
            "ocean.yaml:1:18: error: place: there are numbers of 'ranks' as well; leave one of the two out");
  EXPECT_EQ(fault("writers: {clients: 2}"),
            "ocean.yaml:1:20: error: clients: without servers every rank is a client; leave it out, or set ranks or "
            "nodes");
  EXPECT_EQ(fault("writers: {nodes: {count: 3, groups: [2, 2]}}"),
            "ocean.yaml:1:37: error: groups: [2, 2] are 4 together, count is 3");
  EXPECT_EQ(fault("writers: {nodes: {count: 1, groups: 2}}"),
            "ocean.yaml:1:37: error: groups: 2 groups need at least 2 servers, count is 1");
  EXPECT_EQ(fault("writers: {ranks: {count: 2, groups: 3}}"),
            "ocean.yaml:1:37: error: groups: 3 groups need at least 3 servers, count is 2");
  EXPECT_EQ(fault("writers: ranks\ncollections: {h: {engine: library}}"),
            "ocean.yaml:2:27: error: engine: library writes by the ranks of the model themselves; set engine: direct, "
            "or writers: thread");
  EXPECT_EQ(fault("writers: {ranks: 2}\ncollections: {h: {pattern: single, servers: 2}}"),
            "ocean.yaml:2:45: error: servers: pattern 'single' has one writer; set pattern: shared, or leave servers "
            "out");
}

TEST_F(ConfigServers, of_a_node_divide_a_collection_where_it_says_so) {
  const auto servers = [](const std::string& text) {
    return load("collections: {h: {" + text + "}}").collections.at("h").servers;
  };
  EXPECT_EQ(servers("every: 1 h"), 1);
  EXPECT_EQ(servers("servers: 3"), 3);
  EXPECT_EQ(servers("servers: all"), all_servers);
  EXPECT_EQ(servers("servers: 1, pattern: single"), 1);
  EXPECT_EQ(fault("collections: {h: {servers: 0}}"), "ocean.yaml:1:28: error: servers: '0' must be at least 1");
}

}  // namespace
}  // namespace thalweg::config
