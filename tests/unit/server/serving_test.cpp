// The serving loop of several servers, without any session: a client tells commands by the channel of the real one, a
// seed decides what is delivered and who goes on when, and every server notes the calls that it makes.
#include "server/serving.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "error_of.hpp"
#include "sanitized.hpp"
#include "staging/node.hpp"
#include "transport/in_process.hpp"
#include "transport/tags.hpp"

namespace thalweg::server {
namespace {

namespace commands = session::commands;
using staging::testing::NodeControl;
using transport::testing::Network;

const int schedules = sanitized::fewer(10'000);

// The model's rank 0 on a node of its own, and servers on one each, of which every second is of another group.
std::vector<roles::Member> members_of(int servers) {
  std::vector<roles::Member> members(1);
  for (int s = 0; s < servers; ++s)
    members.push_back({.role = roles::Role::server, .writes = true, .receives = true, .group = s % 2});
  return members;
}
std::vector<int> one_rank_a_node(int ranks) {
  std::vector<int> node_of;
  for (int r = 0; r < ranks; ++r) node_of.push_back(r);
  return node_of;
}

// What every rank has, client or server.
struct PlayedRank {
  PlayedRank(Network& network, int servers, int rank)
      : roles(one_rank_a_node(servers + 1), members_of(servers), rank),
        control(1, servers + 1, 2),
        waits(roles, *control, staging::testing::patience_s, [](int, int) { return std::string("a variable"); }),
        channel(roles, control->wake_ups, control->failures, waits, counters,
                network.messenger(rank, transport::tags::commands)),
        messages(network.messenger(rank, transport::tags::health)),
        failures(roles, control->failures, messages, false) {}

  roles::Roles roles;
  NodeControl control;
  health::WaitLoop waits;
  profile::ClientCounters counters;
  session::CommandChannel channel;
  health::Messages messages;
  health::Failures failures;
};

class PlayedServer : public PlayedRank {
 public:
  using PlayedRank::PlayedRank;

  // As the loop does, but for its sleep.
  void go_on() {
    if (!channel.has_ended()) serving_.take_turn();
  }
  void run() { serving_.run(); }
  bool take_turn() { return serving_.take_turn(); }
  const std::vector<transport::Bytes>& calls() const { return calls_; }

  std::function<void(const commands::Command&)> fails;  // in a call, where the test wants it
  std::function<void()> between;                        // what happens elsewhere between two turns
  int pieces = 0;                                       // that are to come
  std::int64_t sleeps = 0;

 private:
  Serving serving_{{.roles = roles,
                    .control = *control,
                    .commands = channel,
                    .failures = failures,
                    .phases = phases_,
                    .times = times_,
                    .replay =
                        [this](const commands::Command& command) {
                          if (fails) fails(command);
                          calls_.push_back(transport::pack(command));
                        },
                    .progress =
                        [this] {
                          if (between) between();
                          return pieces > 0 && pieces-- > 0;
                        },
                    .check_peers = [] {},
                    .looks_for_messages = [] { return true; },
                    .sleep_s =
                        [this](double longest_s) {
                          ++sleeps;
                          return longest_s;
                        }}};
  profile::Phases phases_;
  profile::ServerTimes times_;
  std::vector<transport::Bytes> calls_;
};

std::vector<std::unique_ptr<PlayedServer>> play(Network& network, int servers) {
  std::vector<std::unique_ptr<PlayedServer>> played;
  for (int s = 0; s < servers; ++s) played.push_back(std::make_unique<PlayedServer>(network, servers, s + 1));
  return played;
}

commands::Command any_command(Network& network) {
  switch (network.pick(5)) {
    case 0: return commands::Advance{static_cast<double>(network.pick(1000))};
    case 1: return commands::NewFile{static_cast<int>(network.pick(3)), fmt::format("{}.nc", network.pick(100))};
    case 2: return commands::Flush{};
    case 3: return commands::DefineDimension{0, "x", network.pick(100)};
    default: return commands::Wait{};
  }
}

// Commands between deliveries and turns of servers; the packed ones.
std::vector<transport::Bytes> tell_some(Network& network, PlayedRank& client,
                                        const std::vector<std::unique_ptr<PlayedServer>>& servers) {
  std::vector<transport::Bytes> told;
  for (std::int64_t left = network.pick(12); left > 0;) {
    if (network.pick(3) == 0) {
      const commands::Command command = any_command(network);
      client.channel.tell(command);
      told.push_back(transport::pack(command));
      --left;
    }
    if (network.pick(2) == 0) network.deliver_one();
    servers[static_cast<std::size_t>(network.pick(std::ssize(servers)))]->go_on();
  }
  return told;
}

void deliver_all(Network& network) {
  while (network.deliver_one()) {
  }
}

TEST(Serving, makes_the_calls_of_the_clients_in_their_order_and_ends_with_them) {
  for (std::uint64_t seed = 0; seed < schedules; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Network network(seed);
    const int count = 1 + static_cast<int>(network.pick(4));
    PlayedRank client(network, count, 0);
    const auto servers = play(network, count);
    const std::vector<transport::Bytes> told = tell_some(network, client, servers);
    client.channel.tell(commands::Finish{});
    deliver_all(network);
    for (const auto& server : servers) {
      server->run();
      ASSERT_EQ(server->calls(), told);
      ASSERT_TRUE(server->channel.has_ended());
      ASSERT_EQ(server->sleeps, 0) << "everything was there";
    }
  }
}

TEST(Serving, ends_everywhere_with_the_text_of_a_session_that_is_abandoned) {
  for (std::uint64_t seed = 0; seed < schedules / 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Network network(seed);
    const int count = 1 + static_cast<int>(network.pick(4));
    PlayedRank client(network, count, 0);
    const auto servers = play(network, count);
    const std::vector<transport::Bytes> told = tell_some(network, client, servers);
    client.channel.tell(commands::Abandon{"the model has left"});
    deliver_all(network);
    for (const auto& server : servers) {
      const std::string text = error_of(THALWEG_ERROR_PEER, [&] {
        for (std::size_t turn = 0; turn <= told.size(); ++turn) server->take_turn();
      });
      ASSERT_EQ(text, "the model has left");
      ASSERT_EQ(server->calls(), told) << "what was told before is done";
    }
  }
}

struct OneServer : testing::Test {
  Network network{1};
  PlayedRank client{network, 1, 0};
  PlayedServer server{network, 1, 1};
};

TEST_F(OneServer, sleeps_until_a_late_command_comes) {
  int turns = 0;
  server.between = [&] {
    if (++turns == 3) client.channel.tell(commands::Flush{});
    if (turns == 5) client.channel.tell(commands::Finish{});
    network.deliver_one();
  };
  server.run();
  EXPECT_EQ(server.calls(), std::vector<transport::Bytes>{transport::pack(commands::Command(commands::Flush{}))});
  EXPECT_EQ(turns, 6);
  EXPECT_EQ(server.sleeps, 4) << "in the turns without a command";
}

TEST_F(OneServer, sleeps_in_no_turn_that_brought_pieces) {
  server.pieces = 3;
  for (int turn = 0; turn < 3; ++turn) EXPECT_TRUE(server.take_turn());
  EXPECT_FALSE(server.take_turn());
}

// Clients know of what is wrong with a call, for they made it too.
TEST_F(OneServer, goes_on_behind_a_call_that_fails) {
  server.fails = [](const commands::Command& command) {
    if (std::holds_alternative<commands::NewFile>(command)) fail(THALWEG_ERROR_STATE, "its collection is lost");
  };
  client.channel.tell(commands::NewFile{0, "lost.nc"});
  client.channel.tell(commands::Flush{});
  client.channel.tell(commands::Finish{});
  deliver_all(network);
  server.run();
  EXPECT_EQ(server.calls().size(), 1U);
  EXPECT_FALSE(server.control->failures.has_failed());
}

TEST_F(OneServer, ends_with_a_failure_that_its_call_has_reported) {
  server.fails = [&](const commands::Command&) {
    server.control->failures.report(THALWEG_ERROR_STORAGE, "the disk is full");
    fail(THALWEG_ERROR_STORAGE, "the disk is full");
  };
  client.channel.tell(commands::Flush{});
  client.channel.tell(commands::Flush{});
  deliver_all(network);
  EXPECT_EQ(error_of(THALWEG_ERROR_STORAGE, [&] { server.take_turn(); }), "the disk is full");
  EXPECT_TRUE(server.calls().empty());
}

TEST_F(OneServer, says_to_its_node_that_it_was_told_what_nobody_understands) {
  network.messenger(0, transport::tags::commands)->send(1, transport::Packer().put(std::size_t{99}).take());
  deliver_all(network);
  EXPECT_NE(error_of(THALWEG_ERROR_AGREEMENT, [&] { server.take_turn(); }), "no error");
  const std::string text = error_of(THALWEG_ERROR_AGREEMENT, [&] { server.control->failures.throw_failure(); });
  EXPECT_TRUE(text.starts_with("server, rank 1: ")) << text;
}

// Group 0 has server 1, group 1 server 2.
TEST(Serving, of_a_group_that_is_lost_hears_the_end_only) {
  Network network(1);
  PlayedRank client(network, 2, 0);
  const auto servers = play(network, 2);
  client.channel.tell(commands::Flush{});
  client.control->failures.report_group(1, THALWEG_ERROR_STORAGE, "its disk is full");
  client.channel.tell(commands::Advance{1.0});
  client.channel.tell(commands::Finish{});
  deliver_all(network);
  for (const auto& server : servers) server->run();
  EXPECT_EQ(servers[0]->calls().size(), 2U);
  EXPECT_EQ(servers[1]->calls().size(), 1U);
}

}  // namespace
}  // namespace thalweg::server
