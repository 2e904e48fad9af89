#include "staging/process_states.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "staging/node.hpp"

namespace thalweg::staging {
namespace {

using testing::NodeControl;

TEST(StepTimes, knows_the_last_ones_and_where_it_met) {
  StepTimes steps;
  EXPECT_EQ(steps.step(1), std::nullopt);
  for (int step = 1; step <= 100; ++step) steps.make({60.0 * step, step % 2});
  EXPECT_EQ(steps.made(), 100);
  EXPECT_EQ(steps.step(100), (ModelStep{6000.0, 0}));
  EXPECT_EQ(steps.step(100 - StepTimes::kept + 1), (ModelStep{60.0 * (100 - StepTimes::kept + 1), 1}));
  EXPECT_EQ(steps.step(100 - StepTimes::kept), std::nullopt);
  EXPECT_EQ(steps.step(101), std::nullopt);
  steps.meet();
  steps.make({6060.0});
  EXPECT_EQ(steps.meetings(), 1);
  EXPECT_EQ(steps.made_at_meeting(), 100);
}

TEST(CallName, is_that_of_the_last_call_with_what_it_is_about) {
  CallName name;
  EXPECT_EQ(name.text(), "");
  name.set("nf90_sync", "his_0001.nc");
  EXPECT_EQ(name.text(), "nf90_sync of 'his_0001.nc'");
  name.set("thalweg_wait");
  EXPECT_EQ(name.text(), "thalweg_wait");
  const std::string path(500, 'a');
  name.set("nf90_close", path);
  EXPECT_EQ(name.text(), ("nf90_close of '" + path).substr(0, 191));
  name.set("");
  EXPECT_EQ(name.text(), "");
}

TEST(ProcessStates, have_room_for_every_client_and_node_behind_the_wake_ups) {
  const NodeControl node(3, 2);
  const ProcessStates& states = node->processes;
  EXPECT_EQ(states.client_count(), 3);
  EXPECT_EQ(states.node_count(), 2);
  const auto begin_of = [](auto& object) { return reinterpret_cast<const std::byte*>(&object); };
  const std::byte* first = begin_of(states.client(0));
  EXPECT_GE(first, begin_of(node->wake_ups) + sizeof(WakeUps));
  EXPECT_LE(begin_of(states.client(2)) + sizeof(ClientState), begin_of(states.node(0)));
  EXPECT_LE(begin_of(states.node(1)) + sizeof(NodeState), first + ProcessStates::bytes_for(3, 2));
}

TEST(ProcessStates, keeps_what_each_writer_of_the_node_does) {
  const NodeControl node(3);
  node->processes.client(1).pid = 1;
  node->processes.client(0).pid = 1;
  node->processes.set_activity(WriterActivity::write, 5.0);
  EXPECT_EQ(node->processes.client(2).activity, WriterActivity::write);
  EXPECT_EQ(node->processes.client(0).activity, WriterActivity::none);
  node->processes.set_activity(WriterActivity::idle, 6.0);
  node->processes.set_activity(WriterActivity::idle, 7.0);
  EXPECT_EQ(node->processes.client(2).activity_since_s, 6.0) << "it has done nothing since";
  EXPECT_EQ(node->processes.last_progress_s(), 6.0);
}

}  // namespace
}  // namespace thalweg::staging
