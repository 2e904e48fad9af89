#include "mpiio/aggregators.hpp"

#include <gtest/gtest.h>

namespace thalweg::mpiio {
namespace {

using config::Hints;

TEST(Aggregators, are_what_is_asked_where_nothing_is_striped) {
  for (const std::int64_t asked : {1, 3, 64}) EXPECT_EQ(real_aggregators(asked, 0), asked);
}

TEST(Aggregators, are_clipped_to_the_number_of_stripes) {
  EXPECT_EQ(real_aggregators(165, 165), 165);
  EXPECT_EQ(real_aggregators(240, 165), 165);
  EXPECT_EQ(real_aggregators(42, 20), 20);
  EXPECT_EQ(real_aggregators(7, 1), 1);
}

TEST(Aggregators, of_which_several_share_a_stripe_if_that_is_asked) {
  EXPECT_EQ(real_aggregators(42, 20, 3), 40);
  EXPECT_EQ(real_aggregators(100, 20, 3), 60);
}

TEST(Aggregators, divide_the_stripes_where_there_are_fewer) {
  EXPECT_EQ(real_aggregators(8, 60), 6);
  EXPECT_EQ(real_aggregators(59, 60), 30);
  EXPECT_EQ(real_aggregators(7, 13), 1);
  EXPECT_EQ(real_aggregators(4, 8), 4);
}

TEST(Aggregators, a_node_become_hints_for_all_nodes) {
  const Hints hints = with_aggregators({{"cb_buffer_size", "65536"}}, {.io_ranks = 12, .nodes = 3, .per_node = 2});
  EXPECT_EQ(hints, (Hints{{"cb_buffer_size", "65536"}, {"cb_config_list", "*:2"}, {"cb_nodes", "6"}}));
}

TEST(Aggregators, are_never_more_than_ranks_that_open_the_file) {
  EXPECT_EQ(with_aggregators({}, {.io_ranks = 4, .nodes = 3, .per_node = 2}).at("cb_nodes"), "4");
  EXPECT_EQ(real_aggregators({{"cb_nodes", "9"}}, {.io_ranks = 4, .nodes = 2}, 0), 4);
}

TEST(Aggregators, asked_by_name_prevail) {
  const Hints asked = {{"cb_config_list", "*:8"}, {"cb_nodes", "5"}};
  EXPECT_EQ(with_aggregators(asked, {.io_ranks = 12, .nodes = 3, .per_node = 2}), asked);
  EXPECT_EQ(with_aggregators({}, {.io_ranks = 12, .nodes = 3}), Hints{});
}

TEST(Aggregators, are_one_a_node_where_nobody_asks) {
  EXPECT_EQ(real_aggregators({}, {.io_ranks = 12, .nodes = 3}, 0), 3);
  EXPECT_EQ(real_aggregators({{"cb_nodes", "*"}}, {.io_ranks = 12, .nodes = 3}, 2), 2);
  EXPECT_EQ(real_aggregators({{"cb_nodes", "8"}, {"romio_lustre_co_ratio", "2"}}, {.io_ranks = 12, .nodes = 3}, 4), 8);
}

}  // namespace
}  // namespace thalweg::mpiio
