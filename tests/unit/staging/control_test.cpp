#include "staging/control.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "staging/node.hpp"

namespace thalweg::staging {
namespace {

using testing::NodeControl;
using testing::patience_s;

TEST(StepTimes, knows_the_last_ones_and_where_it_met) {
  StepTimes steps;
  EXPECT_EQ(steps.time_of(1), std::nullopt);
  for (int step = 1; step <= 100; ++step) steps.make(60.0 * step);
  EXPECT_EQ(steps.made(), 100);
  EXPECT_EQ(steps.time_of(100), 6000.0);
  EXPECT_EQ(steps.time_of(100 - StepTimes::kept + 1), 60.0 * (100 - StepTimes::kept + 1));
  EXPECT_EQ(steps.time_of(100 - StepTimes::kept), std::nullopt);
  EXPECT_EQ(steps.time_of(101), std::nullopt);
  steps.meet();
  steps.make(6060.0);
  EXPECT_EQ(steps.meetings(), 1);
  EXPECT_EQ(steps.made_at_meeting(), 100);
}

// Code and text of the failure; {THALWEG_OK, ""} if there is none.
std::pair<thalweg_status, std::string> failure_of(const Control& control) {
  try {
    control.throw_failure();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {THALWEG_OK, ""};
}

TEST(Control, has_a_state_for_every_client_inside_its_memory) {
  const NodeControl control(3);
  EXPECT_EQ(control->client_count(), 3);
  const auto* end = reinterpret_cast<const std::byte*>(&*control) + Control::bytes_for(3);
  EXPECT_LE(reinterpret_cast<const std::byte*>(&control->client(2) + 1), end);
  EXPECT_GE(reinterpret_cast<const std::byte*>(&control->client(0)), reinterpret_cast<const std::byte*>(&*control + 1));
}

TEST(Control, has_no_failure_at_first) {
  const NodeControl control(1);
  EXPECT_FALSE(control->has_failed());
  EXPECT_NO_THROW(control->throw_failure());
}

TEST(Control, keeps_the_first_failure) {
  const NodeControl control(1);
  control->report_failure(THALWEG_ERROR_STORAGE, "the disk is full");
  control->report_failure(THALWEG_ERROR_DEADLINE, "somebody waited for the disk");
  EXPECT_TRUE(control->has_failed());
  EXPECT_EQ(failure_of(*control), std::pair(THALWEG_ERROR_STORAGE, std::string("the disk is full")));
}

TEST(Control, knows_whether_the_failure_is_of_this_process) {
  const NodeControl control(1);
  EXPECT_FALSE(control->was_reported_here());
  const pid_t child = fork();
  if (child == 0) {
    control->report_failure(THALWEG_ERROR_PEER, "found by another one");
    _exit(control->was_reported_here() ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(control->has_failed());
  EXPECT_FALSE(control->was_reported_here());
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have a say when a process is killed

// Copying the text ends the process: it cannot be read.
void die_telling(const std::function<void(const std::string&)>& tell) {
  const pid_t child = fork();
  if (child == 0) {
    std::string text(1 << 20, 'x');
    const auto page = static_cast<std::uintptr_t>(getpagesize());
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(text.data()) / page * page;
    mprotect(reinterpret_cast<void*>(first), page, PROT_NONE);
    tell(text);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it should have died";
}

TEST(Control, is_told_by_others_when_a_process_dies_telling) {
  const NodeControl control(2, 0, 1);
  die_telling([&](const std::string& text) { control->report_failure(THALWEG_ERROR_STORAGE, text); });
  die_telling([&](const std::string& text) { control->report_loss(0, THALWEG_ERROR_STORAGE, text); });
  EXPECT_FALSE(control->has_failed());
  EXPECT_FALSE(control->is_lost(0));
  control->report_failure(THALWEG_ERROR_PEER, "rank 41 died");
  EXPECT_EQ(failure_of(*control), std::pair(THALWEG_ERROR_PEER, std::string("rank 41 died")));
  control->report_loss(0, THALWEG_ERROR_PEER, "its server died");
  EXPECT_TRUE(control->is_lost(0));
  EXPECT_EQ(control->loss(0).code(), THALWEG_ERROR_PEER);
  EXPECT_STREQ(control->loss(0).what(), "its server died");
}

#endif

TEST(Control, keeps_what_each_writer_of_the_node_does) {
  const NodeControl control(3);
  control->client(1).pid = 1;
  control->client(0).pid = 1;
  control->set_activity(WriterActivity::write, 5.0);
  EXPECT_EQ(control->client(2).activity, WriterActivity::write);
  EXPECT_EQ(control->client(0).activity, WriterActivity::none);
  control->set_activity(WriterActivity::idle, 6.0);
  control->set_activity(WriterActivity::idle, 7.0);
  EXPECT_EQ(control->client(2).activity_since_s, 6.0) << "it has done nothing since";
  EXPECT_EQ(control->last_progress_s(), 6.0);
}

TEST(Control, keeps_as_much_of_a_long_text_as_it_has_room_for) {
  const NodeControl control(1);
  control->client(0).rank = 7;
  control->report_failure(THALWEG_ERROR_STORAGE, std::string(100'000, 'x'));
  const std::string text = failure_of(*control).second;
  EXPECT_EQ(text, std::string(text.size(), 'x'));
  EXPECT_GT(text.size(), 4000U);
  EXPECT_EQ(control->client(0).rank, 7);  // it lies behind the text
}

TEST(Control, wakes_who_waits_for_news_when_something_fails) {
  const NodeControl control(1);
  const std::uint32_t seen = control->news().load();
  std::thread other([&] { control->report_failure(THALWEG_ERROR_PEER, "gone"); });
  const double start_s = now_s();
  while (!control->has_failed() && now_s() - start_s < patience_s) futex_wait(control->news(), seen, patience_s);
  other.join();
  EXPECT_LT(now_s() - start_s, patience_s);
  EXPECT_NE(control->news().load(), seen);
}

// Whoever loses the race must never see half of the winner's text.
TEST(Control, shows_every_thread_one_and_the_same_whole_failure) {
  constexpr int threads = 6;
  for (int round = 0; round < 200; ++round) {
    const NodeControl control(1);
    std::vector<std::pair<thalweg_status, std::string>> seen(threads);
    std::atomic<int> ready = 0;
    std::vector<std::thread> reporters;
    for (int t = 0; t < threads; ++t)
      reporters.emplace_back([&, t] {
        ++ready;
        while (ready < threads) std::this_thread::yield();
        control->report_failure(static_cast<thalweg_status>(t + 1), std::string(1000, static_cast<char>('a' + t)));
        while (seen[static_cast<std::size_t>(t)].first == THALWEG_OK)
          seen[static_cast<std::size_t>(t)] = failure_of(*control);
      });
    for (std::thread& reporter : reporters) reporter.join();
    const auto [code, text] = seen.front();
    ASSERT_EQ(text, std::string(1000, static_cast<char>('a' + code - 1)));
    for (const auto& one : seen) ASSERT_EQ(one, seen.front());
  }
}

TEST(ControlWant, counts_who_wants_a_block_and_wakes_who_sleeps_on_it) {
  const NodeControl control(2);
  EXPECT_EQ(control->want(), 0U);
  std::thread sleeper([&] {
    while (control->want() == 0) futex_wait(control->want(), 0, testing::patience_s);
  });
  control->want_block(true);
  sleeper.join();
  control->want_block(true);
  EXPECT_EQ(control->want(), 2U);
  control->want_block(false);
  control->want_block(false);
  EXPECT_EQ(control->want(), 0U);
}

TEST(ControlBell, that_rang_since_it_was_looked_at_lets_nobody_sleep) {
  const NodeControl control(1);
  const std::uint32_t seen = control->bell();
  control->ring();
  const double start_s = now_s();
  control->sleep_until_rung(seen, patience_s);
  EXPECT_LT(now_s() - start_s, patience_s / 2);
}

TEST(ControlBell, that_nobody_rings_lets_sleep_until_the_time_out) {
  const NodeControl control(1);
  const double start_s = now_s();
  control->sleep_until_rung(control->bell(), 0.05);
  EXPECT_GE(now_s() - start_s, 0.04);
}

TEST(ControlBell, wakes_who_sleeps_on_its_word_and_said_so) {
  const NodeControl control(1);
  control->listen_to_bell(true);
  const std::uint32_t seen = control->bell();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    control->ring();
  });
  const double start_s = now_s();
  while (control->bell() == seen && now_s() - start_s < patience_s) futex_wait(control->bell_word(), seen, patience_s);
  EXPECT_LT(now_s() - start_s, patience_s / 2);
  other.join();
  control->listen_to_bell(false);
}

// One wake-up lost, and the sleeper sleeps on until the time-out, with nobody left to ring.
TEST(ControlBell, is_never_missed_by_a_sleeper) {
  constexpr int rings = 3000;
  const NodeControl control(1);
  std::atomic<int> wanted = 0;
  std::atomic<int> done = 0;
  double longest_sleep_s = 0.0;
  std::thread writer([&] {
    while (done < rings) {
      const std::uint32_t seen = control->bell();
      if (wanted > done) {
        ++done;
        continue;
      }
      const double start_s = now_s();
      control->sleep_until_rung(seen, patience_s);
      longest_sleep_s = std::max(longest_sleep_s, now_s() - start_s);
    }
  });
  for (int i = 1; i <= rings; ++i) {
    wanted = i;
    control->ring();
    while (done < i) std::this_thread::yield();
  }
  writer.join();
  EXPECT_LT(longest_sleep_s, patience_s / 2);
}

TEST(ControlLosses, keep_the_first_of_each_group_and_are_no_failure) {
  const NodeControl control(2, 3, 2);
  EXPECT_FALSE(control->is_lost(0));
  const std::uint32_t news = control->news();
  control->report_loss(0, THALWEG_ERROR_STORAGE, "disk full");
  control->report_loss(0, THALWEG_ERROR_PEER, "another");
  EXPECT_NE(control->news(), news);
  EXPECT_TRUE(control->is_lost(0));
  EXPECT_TRUE(control->was_loss_reported_here(0));
  EXPECT_FALSE(control->is_lost(1));
  EXPECT_FALSE(control->was_loss_reported_here(1));
  EXPECT_EQ(control->loss(0).code(), THALWEG_ERROR_STORAGE);
  EXPECT_STREQ(control->loss(0).what(), "disk full");
  EXPECT_FALSE(control->has_failed());
}

TEST(ControlLosses, of_a_writer_end_its_group_where_it_has_one) {
  const NodeControl alone(1, 0, 2);
  alone->client(0).group = 1;
  EXPECT_FALSE(alone->has_writer_failed());
  alone->report_writer_failure({THALWEG_ERROR_STORAGE, "disk full"});
  EXPECT_TRUE(alone->is_lost(1));
  EXPECT_TRUE(alone->has_writer_failed());
  EXPECT_FALSE(alone->has_failed());
  const NodeControl together(1);
  together->report_writer_failure({THALWEG_ERROR_STORAGE, "disk full"});
  EXPECT_TRUE(together->has_failed());
  EXPECT_TRUE(together->has_writer_failed());
}

}  // namespace
}  // namespace thalweg::staging
