#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "error_of.hpp"
#include "roles/roles.hpp"

namespace thalweg::roles {
namespace {

using Nodes = std::vector<int>;

std::string config_error(int ranks, const std::vector<std::int64_t>& emulate_nodes) {
  return error_of(THALWEG_ERROR_CONFIG, [&] { emulated_nodes(ranks, emulate_nodes); });
}

TEST(EmulatedNodes, are_one_without_emulation) {
  EXPECT_EQ(emulated_nodes(3, {}), (Nodes{0, 0, 0}));
}

TEST(EmulatedNodes, share_ranks_evenly_where_only_their_number_is_given) {
  EXPECT_EQ(emulated_nodes(4, {2}), (Nodes{0, 0, 1, 1}));
  EXPECT_EQ(emulated_nodes(3, {3}), (Nodes{0, 1, 2}));
  EXPECT_EQ(emulated_nodes(5, {1}), (Nodes{0, 0, 0, 0, 0}));
}

TEST(EmulatedNodes, differ_by_one_rank_at_most_and_are_never_empty) {
  for (int ranks = 1; ranks <= 20; ++ranks)
    for (int nodes = 1; nodes <= ranks; ++nodes) {
      const Nodes node_of = emulated_nodes(ranks, {nodes});
      ASSERT_EQ(static_cast<int>(node_of.size()), ranks);
      ASSERT_TRUE(std::is_sorted(node_of.begin(), node_of.end()));
      for (int node = 0; node < nodes; ++node) {
        const auto size = std::count(node_of.begin(), node_of.end(), node);
        ASSERT_TRUE(size == ranks / nodes || size == ranks / nodes + 1) << ranks << " ranks, " << nodes << " nodes";
      }
    }
}

TEST(EmulatedNodes, have_the_ranks_that_are_given_for_each) {
  EXPECT_EQ(emulated_nodes(6, {1, 3, 2}), (Nodes{0, 1, 1, 1, 2, 2}));
}

TEST(EmulatedNodes, cannot_be_more_than_ranks) {
  EXPECT_EQ(config_error(3, {4}), "emulate-nodes: 4 nodes need at least 4 ranks, but the session has 3");
}

TEST(EmulatedNodes, must_add_up_to_the_ranks) {
  for (int ranks : {5, 7}) {
    const std::string text = config_error(ranks, {4, 2});
    EXPECT_NE(text.find("2 nodes add up to 6"), std::string::npos) << text;
    EXPECT_NE(text.find("has " + std::to_string(ranks) + " ranks"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace thalweg::roles
