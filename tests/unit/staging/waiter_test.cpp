#include "staging/waiter.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/clock.hpp"
#include "staging/node.hpp"

namespace thalweg::staging {
namespace {

using testing::NodeControl;
using testing::patience_s;

std::string name_of_variable(int collection, int variable) {
  return fmt::format("collection {}, variable {}", collection, variable);
}

Waiter waiter_of(const NodeControl& control, int client, double deadline_s = patience_s) {
  return testing::waiter_of(control, client, name_of_variable, deadline_s);
}

double wait_for(Waiter& waiter, Word& word, const std::function<bool()>& ready) {
  return waiter.wait(word, {WaitCause::block, 1, 2, 30}, ready, [] { return std::string("Nobody put it.\n"); });
}

struct Failure {
  thalweg_status code = THALWEG_OK;
  std::string text;
};
Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

TEST(Waiter, returns_at_once_when_there_is_nothing_to_wait_for) {
  const NodeControl control(1);
  Waiter waiter = waiter_of(control, 0);
  EXPECT_LT(wait_for(waiter, control->wake_ups.progress_word(), [] { return true; }), patience_s / 2);
  EXPECT_EQ(control->processes.client(0).cause, WaitCause::nothing);
}

TEST(Waiter, wakes_when_its_word_changes_and_says_how_long_it_took) {
  const NodeControl control(1);
  Waiter waiter = waiter_of(control, 0);
  std::atomic<bool> ready = false;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ready = true;
    control->wake_ups.note_progress();
  });
  const double waited_s = waiter.wait(
      control->wake_ups.progress_word(), {WaitCause::commit}, [&] { return ready.load(); },
      [] { return std::string(); }, patience_s);
  other.join();
  EXPECT_GE(waited_s, 0.04);
  EXPECT_LT(waited_s, patience_s / 2);
}

TEST(Waiter, shows_what_it_waits_for_while_it_waits) {
  const NodeControl control(2);
  Waiter waiter = waiter_of(control, 1);
  const ClientState& self = control->processes.client(1);
  wait_for(waiter, control->wake_ups.progress_word(), [&] {
    EXPECT_EQ(self.cause, WaitCause::block);
    EXPECT_EQ(self.collection, 1);
    EXPECT_EQ(self.variable, 2);
    EXPECT_EQ(self.record, 30);
    EXPECT_GT(self.since_s, 0.0);
    return true;
  });
}

TEST(Waiter, looks_again_after_the_interval_without_being_woken) {
  const NodeControl control(1);
  Waiter waiter = waiter_of(control, 0);
  int looks = 0;
  waiter.wait(
      control->wake_ups.progress_word(), {WaitCause::send}, [&] { return ++looks == 5; }, [] { return std::string(); },
      0.005);
  EXPECT_EQ(looks, 5);
}

TEST(Waiter, keeps_messages_going_while_it_waits) {
  const NodeControl control(1);
  Waiter waiter = waiter_of(control, 0);
  int pumped = 0;
  waiter.set_pump([&] { ++pumped; }, 0.001);
  wait_for(waiter, control->wake_ups.progress_word(), [&] { return pumped >= 20; });
  EXPECT_EQ(pumped, 20);
}

TEST(Waiter, gives_up_at_the_deadline_and_says_who_waits_for_whom) {
  const NodeControl control(3);
  ClientState& other = control->processes.client(2);
  other.cause = WaitCause::commit;
  other.collection = 5;
  other.variable = 6;
  other.record = 7;
  other.since_s = now_s() - 100.0;
  control->processes.call(2).set("thalweg_record", "his");
  control->processes.call(1).set("thalweg_wait");
  control->processes.set_activity(WriterActivity::sync, now_s() - 7.0);
  Waiter waiter = waiter_of(control, 1, 0.2);
  const double start_s = now_s();
  const Failure failure =
      failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); });
  EXPECT_GE(now_s() - start_s, 0.2);
  EXPECT_LT(now_s() - start_s, patience_s / 2);
  EXPECT_EQ(failure.code, THALWEG_ERROR_DEADLINE);
  expect_parts(failure.text, {"rank 41 gave up in thalweg_wait after 0.", "(deadline: 0.2 s)",
                              "waiting for a free block, collection 1, variable 2, record 30", "Nobody put it.",
                              "rank 40: computing", "rank 41: in thalweg_wait, waiting for a free block",
                              "rank 42: in thalweg_record of 'his', waiting for a commit",
                              "collection 5, variable 6, record 7, since 100.", "writer: syncing since 7."});
}

TEST(Waiter, says_what_other_nodes_have_told) {
  const NodeControl control(1, 5);
  for (int n = 1; n < 5; ++n) control->processes.node(n).leader = 10 * n;
  NodeState& busy = control->processes.node(2);
  busy.heard_s = now_s() - 0.1;
  busy.writer = 21;
  busy.activity = WriterActivity::write;
  busy.activity_since_s = now_s() - 9.0;
  NodeState& computing = control->processes.node(3);
  computing.heard_s = now_s() - 0.2;
  computing.absent = 33;
  computing.waiting = 31;
  computing.call.set("nf90_close", "his.nc");
  NodeState& silent = control->processes.node(4);
  silent.heard_s = now_s() - 5.0;
  silent.absent = silent.waiting = 41;
  silent.call.set("thalweg_ready");
  Waiter waiter = waiter_of(control, 0, 0.1);
  const Failure failure =
      failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); });
  expect_parts(failure.text,
               {"node of rank 10: nothing was heard of it\n", "node of rank 20: 0.",
                "writer of rank 21: writing since 9.", "node of rank 30: 0.",
                "s ago rank 33 was computing or stopped, rank 31 waited in nf90_close of 'his.nc' for longest",
                "node of rank 40: nothing was heard of it for 5."});
  EXPECT_EQ(failure.text.find("rank 41"), std::string::npos) << "it may be elsewhere now: " << failure.text;
  EXPECT_EQ(failure.text.find("\n  writer"), std::string::npos) << "there is none here: " << failure.text;
}

TEST(Waiter, tells_who_was_stopped_in_a_wait_from_who_looks) {
  const NodeControl control(3);
  for (int waiting : {1, 2}) {
    ClientState& of = control->processes.client(waiting);
    of.cause = WaitCause::peers;
    of.since_s = now_s() - 30.0;
    of.seen_s = now_s() - (waiting == 1 ? 20.0 : 0.0);
  }
  EXPECT_TRUE(control->processes.client(1).is_absent(now_s()));
  EXPECT_FALSE(control->processes.client(2).is_absent(now_s()));
  Waiter waiter = waiter_of(control, 0, 0.1);
  const Failure failure =
      failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); });
  expect_parts(failure.text, {"rank 41: waiting for the other ranks, since 30.", " s, but was stopped 20.",
                              " s ago, or is in a call\n", "rank 42: waiting for the other ranks"});
  EXPECT_EQ(failure.text.find("was stopped"), failure.text.rfind("was stopped"));
}

TEST(Waiter, tells_servers_that_look_for_orders_from_those_that_do_not) {
  const NodeControl control(3);
  for (int server : {1, 2}) control->processes.client(server).is_server = true;
  control->processes.client(1).since_s = now_s() - 30.0;
  control->processes.client(2).since_s = now_s();
  Waiter waiter = waiter_of(control, 0, 0.1);
  const Failure failure =
      failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); });
  expect_parts(failure.text,
               {"rank 41: a server, has not looked for orders since 30.", "rank 42: a server, waits for orders"});
}

// The seconds after which a wait for `cause` ends at a deadline of 0.3 s, with a writer that gets on for twice as long.
double patience_with(const NodeControl& control, WaitCause cause, const std::function<void(double)>& get_on) {
  Waiter waiter = waiter_of(control, 0, 0.3);
  const double start_s = now_s();
  const auto ready = [&] {
    if (now_s() - start_s < 0.6) get_on(now_s());
    return false;
  };
  const auto nothing = [] { return std::string(); };
  EXPECT_EQ(failure_of([&] { waiter.wait(control->wake_ups.progress_word(), {cause}, ready, nothing, 0.01); }).code,
            THALWEG_ERROR_DEADLINE);
  return now_s() - start_s;
}

TEST(Waiter, waits_longer_for_a_commit_while_its_writer_gets_on) {
  const NodeControl control(1);
  const auto here = [&](double now) { control->processes.set_activity(WriterActivity::write, now); };
  EXPECT_GE(patience_with(control, WaitCause::commit, here), 0.8);
}

TEST(Waiter, waits_longer_for_other_ranks_while_a_writer_of_another_node_gets_on) {
  const NodeControl control(1, 2);
  const auto there = [&](double now) { control->processes.node(1).activity_since_s = now; };
  EXPECT_GE(patience_with(control, WaitCause::peers, there), 0.8);
}

TEST(Waiter, releases_all_others_of_the_node_with_the_same_failure) {
  const NodeControl control(2);
  Waiter patient = waiter_of(control, 0);
  Waiter hasty = waiter_of(control, 1, 0.1);
  Failure of_patient;
  std::thread other([&] {
    of_patient = failure_of([&] { wait_for(patient, control->wake_ups.progress_word(), [] { return false; }); });
  });
  const Failure of_hasty = failure_of([&] { wait_for(hasty, control->wake_ups.bell_word(), [] { return false; }); });
  other.join();
  EXPECT_EQ(of_hasty.code, THALWEG_ERROR_DEADLINE);
  EXPECT_EQ(of_patient.code, of_hasty.code);
  EXPECT_EQ(of_patient.text, of_hasty.text);
}

// Collections 0 and 2 are of group 0, collection 1 of group 1.
Waiter outliving_waiter(const NodeControl& control, int blamed, double deadline_s = 0.05) {
  Waiter waiter = waiter_of(control, 0, deadline_s);
  waiter.set_loss_rule({[](int collection) { return collection % 2; }, [=](const WaitFor&) { return blamed; }});
  return waiter;
}

TEST(WaiterOfGroups, gives_up_the_group_that_is_to_blame_and_nothing_else) {
  const NodeControl control(1, 0, 2);
  Waiter waiter = outliving_waiter(control, 1);
  EXPECT_THROW(wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }), GroupLost);
  EXPECT_TRUE(control->failures.has_group_failed(1));
  EXPECT_FALSE(control->failures.has_group_failed(0));
  EXPECT_FALSE(control->failures.has_failed());
  EXPECT_EQ(control->failures.group_failure(1).code(), THALWEG_ERROR_DEADLINE);
  expect_parts(control->failures.group_failure(1).what(),
               {"rank 40 gave up after", "collection 1, variable 2, record 30"});
}

// So long that the deadline is over, and nearly the patience with ranks.
TEST(WaiterOfGroups, gives_a_group_its_deadline_from_when_it_is_to_blame) {
  constexpr double deadline_s = 0.1;
  const NodeControl control(1, 0, 2);
  Waiter waiter = waiter_of(control, 0, deadline_s);
  double blamed_s = 0.0;
  const double start_s = now_s();
  const auto blame = [&](const WaitFor&) {
    if (blamed_s == 0.0 && now_s() - start_s > 2.5 * deadline_s) blamed_s = now_s();
    return blamed_s == 0.0 ? -1 : 1;
  };
  waiter.set_loss_rule({[](int) { return 1; }, blame});
  EXPECT_THROW(wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }), GroupLost);
  EXPECT_GE(now_s() - blamed_s, deadline_s);
  EXPECT_TRUE(control->failures.has_group_failed(1));
  EXPECT_FALSE(control->failures.has_failed());
}

TEST(WaiterOfGroups, waits_no_longer_for_a_group_that_was_lost_and_on_for_others) {
  const NodeControl control(1, 0, 2);
  Waiter waiter = outliving_waiter(control, -1, patience_s);
  control->failures.report_group(1, THALWEG_ERROR_STORAGE, "full");
  EXPECT_THROW(wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }), GroupLost);
  int looks = 0;
  waiter.wait(
      control->wake_ups.progress_word(), {WaitCause::block, 2, 0, 0}, [&] { return ++looks == 3; }, [] { return ""; },
      0.001);
  EXPECT_EQ(looks, 3);
}

TEST(WaiterOfGroups, fails_later_where_no_group_is_to_blame) {
  const NodeControl control(1, 0, 2);
  Waiter waiter = outliving_waiter(control, -1);
  const double start_s = now_s();
  const Failure failure =
      failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); });
  EXPECT_GT(now_s() - start_s, 3 * 0.05);
  EXPECT_EQ(failure.code, THALWEG_ERROR_DEADLINE);
  EXPECT_TRUE(control->failures.has_failed());
  EXPECT_FALSE(control->failures.has_group_failed(0) || control->failures.has_group_failed(1));
}

TEST(Waiter, ends_when_the_writer_fails) {
  const NodeControl control(1);
  Waiter waiter = waiter_of(control, 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    control->failures.report(THALWEG_ERROR_STORAGE, "the disk is full");
  });
  const double start_s = now_s();
  const Failure failure =
      failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); });
  writer.join();
  EXPECT_EQ(failure.code, THALWEG_ERROR_STORAGE);
  EXPECT_EQ(failure.text, "the disk is full");
  EXPECT_LT(now_s() - start_s, patience_s / 2);
}

#if !defined(__SANITIZE_THREAD__)  // which does not follow forked processes

pid_t fork_sleeper() {
  const pid_t child = fork();
  if (child == 0)
    for (;;) pause();
  return child;
}

Failure failure_with_peer(pid_t child) {
  const NodeControl control(2);
  control->processes.client(1).pid = child;
  Waiter waiter = waiter_of(control, 0);
  return failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); });
}

// Its deadline is over several times while it is stopped; then it needs some time to see that it can go on.
TEST(WaiterPeers, a_process_that_was_suspended_has_not_waited_meanwhile) {
  const NodeControl control(1);
  const pid_t child = fork();
  if (child == 0) {
    Waiter waiter = waiter_of(control, 0, 0.4);
    const Failure failure = failure_of([&] {
      wait_for(waiter, control->wake_ups.progress_word(),
               [&] { return control->processes.client(0).bytes_to_write > 0; });
    });
    _exit(failure.code);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(child, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, SIGCONT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  control->processes.client(0).bytes_to_write = 1;
  control->wake_ups.note_progress();
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), THALWEG_OK);
}

TEST(WaiterPeers, a_killed_process_is_named_even_before_its_parent_looks) {
  const pid_t child = fork_sleeper();
  kill(child, SIGKILL);
  const Failure failure = failure_with_peer(child);
  EXPECT_EQ(failure.code, THALWEG_ERROR_PEER);
  expect_parts(failure.text, {"rank 41", fmt::format("process {}", child).c_str(), "thalweg_recover"});
  waitpid(child, nullptr, 0);
}

TEST(WaiterPeers, a_server_that_died_takes_its_group_with_it) {
  const NodeControl control(2, 0, 2);
  constexpr std::int32_t nobody = 1 << 30;  // above the highest number of a process
  control->processes.client(1).pid = nobody;
  control->processes.client(1).group = 1;
  Waiter waiter = waiter_of(control, 0);
  waiter.check_peers();
  EXPECT_TRUE(control->failures.has_group_failed(1));
  EXPECT_FALSE(control->failures.has_failed());
  expect_parts(control->failures.group_failure(1).what(), {"rank 41 (process 1073741824) died"});
}

TEST(WaiterPeers, a_process_that_ended_and_is_gone_is_named) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(failure_with_peer(child).code, THALWEG_ERROR_PEER);
}

TEST(WaiterPeers, a_living_process_is_waited_for) {
  const pid_t child = fork_sleeper();
  const NodeControl control(2);
  control->processes.client(1).pid = child;
  Waiter waiter = waiter_of(control, 0, 1.5);  // peers are looked at after one second
  EXPECT_EQ(failure_of([&] { wait_for(waiter, control->wake_ups.progress_word(), [] { return false; }); }).code,
            THALWEG_ERROR_DEADLINE);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

#endif

}  // namespace
}  // namespace thalweg::staging
