// What nodes tell each other of failures and of who waits, in any order of their messages: ranks are objects here, and
// a seed decides what is delivered when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "error_of.hpp"
#include "health/failures.hpp"
#include "health/heartbeat.hpp"
#include "health/step_agreement.hpp"
#include "sanitized.hpp"
#include "staging/node.hpp"
#include "transport/in_process.hpp"
#include "transport/tags.hpp"

namespace thalweg::health {
namespace {

using staging::testing::NodeControl;
using transport::testing::Network;

const int schedules = sanitized::fewer(10'000);
constexpr double deadline_s = 0.08;  // a heartbeat every hundredth second

std::vector<roles::Member> clients_with_a_writer_a_node(int nodes) {
  roles::Member leader;
  leader.writes = true;
  leader.receives = true;
  return std::vector<roles::Member>(static_cast<std::size_t>(nodes), leader);
}

std::vector<int> one_rank_a_node(int nodes) {
  std::vector<int> node_of;
  for (int n = 0; n < nodes; ++n) node_of.push_back(n);
  return node_of;
}

// A node of one rank, which leads it.
struct PlayedNode {
  PlayedNode(Network& network, int nodes, int number)
      : roles(one_rank_a_node(nodes), clients_with_a_writer_a_node(nodes), number),
        control(1, nodes),
        messages(network.messenger(number, transport::tags::health)),
        failures(roles, control->failures, messages, false),
        heartbeat(roles, control->processes, messages, deadline_s) {
    control->processes.client(0).rank = number;
  }
  // As in every call.
  void progress() {
    while (const auto message = messages.receive())
      if (const auto* failure = std::get_if<Failure>(&*message))
        failures.hear(*failure);
      else
        heartbeat.hear(std::get<NodeReport>(*message));
    heartbeat.beat();
    failures.spread();
  }
  std::string failure() const {
    try {
      control->failures.throw_failure();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  roles::Roles roles;
  NodeControl control;
  Messages messages;
  Failures failures;
  Heartbeat heartbeat;
};

std::vector<std::unique_ptr<PlayedNode>> play(Network& network, int count) {
  std::vector<std::unique_ptr<PlayedNode>> nodes;
  for (int n = 0; n < count; ++n) nodes.push_back(std::make_unique<PlayedNode>(network, count, n));
  return nodes;
}

// Some nodes fail, at any moment between the messages of others; all learn of one of these failures, and nobody tells
// it for ever.
void fail_in_any_order(std::uint64_t seed) {
  Network network(seed);
  const int count = 2 + static_cast<int>(network.pick(5));
  const auto nodes = play(network, count);
  int to_fail = 1 + static_cast<int>(network.pick(3));
  std::set<std::string> said;
  const auto fail_one = [&] {
    const auto number = static_cast<std::size_t>(network.pick(count));
    said.insert(fmt::format("node {} has failed", number));
    nodes[number]->control->failures.report(THALWEG_ERROR_STORAGE, fmt::format("node {} has failed", number));
    --to_fail;
  };
  fail_one();
  for (int turn = 0; turn < 60; ++turn) {
    if (to_fail > 0 && network.pick(4) == 0) fail_one();
    if (network.pick(2) == 0) network.deliver_one();
    nodes[static_cast<std::size_t>(network.pick(count))]->failures.spread();
    nodes[static_cast<std::size_t>(network.pick(count))]->progress();
  }
  for (const auto& node : nodes) node->progress();
  while (network.deliver_one()) {
  }
  for (const auto& node : nodes) node->progress();
  for (const auto& node : nodes) ASSERT_TRUE(said.contains(node->failure())) << "seed " << seed << node->failure();
  ASSERT_LE(network.delivered(), count * (count - 1)) << "seed " << seed;
}

TEST(Schedules, of_failures_end_with_all_nodes_knowing_one) {
  for (std::uint64_t seed = 0; seed < schedules; ++seed) {
    fail_in_any_order(seed);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Schedules, of_a_failure_do_not_hang_on_nodes_that_are_dead) {
  for (std::uint64_t seed = 0; seed < schedules / 10; ++seed) {
    Network network(seed);
    const auto nodes = play(network, 4);
    network.kill(3);
    nodes[0]->control->failures.report(THALWEG_ERROR_STORAGE, "first");
    while (network.deliver_one() || !nodes[1]->control->failures.has_failed() ||
           !nodes[2]->control->failures.has_failed())
      nodes[static_cast<std::size_t>(network.pick(3))]->progress();
    ASSERT_EQ(nodes[1]->failure(), "first");
    ASSERT_EQ(nodes[2]->failure(), "first");
    ASSERT_FALSE(nodes[3]->control->failures.has_failed());
  }
}

// One waits long, another computes, a third writes: who asks is told by all, whatever comes first.
TEST(Schedules, of_heartbeats_tell_who_waits_what_the_others_do) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Network network(seed);
    const auto nodes = play(network, 3);
    const double long_ago_s = now_s() - 10 * deadline_s;
    staging::ClientState& waits = nodes[0]->control->processes.client(0);
    waits.cause = staging::WaitCause::commit;
    waits.since_s = long_ago_s;
    nodes[2]->control->processes.client(0).cause = staging::WaitCause::peers;
    nodes[2]->control->processes.client(0).since_s = now_s();
    nodes[2]->control->processes.client(0).seen_s = now_s() + staging::testing::patience_s;  // it does not stop looking
    nodes[2]->control->processes.client(0).activity = staging::WriterActivity::sync;
    nodes[2]->control->processes.client(0).activity_since_s = long_ago_s;
    const auto is_told = [&] {
      const staging::NodeState& computes = nodes[0]->control->processes.node(1);
      const staging::NodeState& writes = nodes[0]->control->processes.node(2);
      return computes.absent == 1 && writes.writer == 2 && writes.activity == staging::WriterActivity::sync;
    };
    for (const double give_up_s = now_s() + staging::testing::patience_s; !is_told() && now_s() < give_up_s;) {
      network.deliver_one();
      nodes[static_cast<std::size_t>(network.pick(3))]->progress();
    }
    ASSERT_TRUE(is_told()) << "seed " << seed;
    ASSERT_NEAR(nodes[0]->control->processes.node(2).activity_since_s, long_ago_s, 1.0);
    ASSERT_EQ(nodes[0]->control->processes.node(2).absent, -1) << "it waits";
  }
}

// ---- steps

struct StepsOfTwoClients : testing::Test {
  const std::vector<roles::Member> members = std::vector<roles::Member>(2);
  const roles::Roles first{{0, 0}, members, 0};
  const roles::Roles second{{0, 0}, members, 1};
  NodeControl control{2};
  static std::string name_of(int collection) { return fmt::format("collection '{}'", collection); }
  StepAgreement a{first, control->processes, name_of};
  StepAgreement b{second, control->processes, name_of};

  void SetUp() override { control->processes.client(0).rank = 0; }
};

TEST_F(StepsOfTwoClients, are_seen_to_differ_in_their_times) {
  a.make({60.0});
  b.make({60.0 + 1e-8});  // one time
  a.make({120.0});
  EXPECT_THAT(error_of(THALWEG_ERROR_AGREEMENT, [&] { b.make({121.0}); }),
              testing::StartsWith("in their advance number 2, rank 1 goes to 121 s and rank 0 to 120 s."));
}

TEST_F(StepsOfTwoClients, are_seen_to_differ_in_what_they_close) {
  a.make({60.0, 3});
  b.make({60.0, 3});
  a.make({60.0, 4});
  EXPECT_THAT(
      error_of(THALWEG_ERROR_AGREEMENT, [&] { b.make({120.0}); }),
      testing::StartsWith("in their advance or record number 2, rank 1 goes to 120 s and rank 0 closes a record of "
                          "collection '4' at 60 s."));
}

TEST_F(StepsOfTwoClients, are_seen_to_differ_in_the_files_that_they_name) {
  a.name_file(3, "a.nc");
  b.name_file(3, "a.nc");
  a.make({60.0, 3});
  b.make({60.0, 3});
  a.make({120.0, 3});
  b.name_file(3, "b.nc");
  EXPECT_THAT(error_of(THALWEG_ERROR_AGREEMENT, [&] { b.make({120.0, 3}); }),
              testing::StartsWith("in their advance or record number 2, rank 1 and rank 0 began other files"));
}

TEST_F(StepsOfTwoClients, are_seen_to_differ_in_their_number) {
  a.make({60.0});
  b.make({60.0});
  a.meet();
  EXPECT_THROW(b.make({120.0}), Error);
  StepAgreement c(second, control->processes, name_of);
  EXPECT_THROW(c.meet(), Error);
}

}  // namespace
}  // namespace thalweg::health
