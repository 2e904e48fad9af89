#include "staging/failure_board.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
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

// Code and text of the failure; {THALWEG_OK, ""} if there is none.
std::pair<thalweg_status, std::string> failure_of(const FailureBoard& failures) {
  try {
    failures.throw_failure();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {THALWEG_OK, ""};
}

TEST(FailureBoard, has_no_failure_at_first) {
  const NodeControl node(1);
  EXPECT_FALSE(node->failures.has_failed());
  EXPECT_NO_THROW(node->failures.throw_failure());
}

TEST(FailureBoard, keeps_the_first_failure) {
  const NodeControl node(1);
  node->failures.report(THALWEG_ERROR_STORAGE, "the disk is full");
  node->failures.report(THALWEG_ERROR_DEADLINE, "somebody waited for the disk");
  EXPECT_TRUE(node->failures.has_failed());
  EXPECT_EQ(failure_of(node->failures), std::pair(THALWEG_ERROR_STORAGE, std::string("the disk is full")));
}

TEST(FailureBoard, knows_whether_the_failure_is_of_this_process) {
  const NodeControl node(1);
  EXPECT_FALSE(node->failures.was_reported_here());
  const pid_t child = fork();
  if (child == 0) {
    node->failures.report(THALWEG_ERROR_PEER, "found by another one");
    _exit(node->failures.was_reported_here() ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(node->failures.has_failed());
  EXPECT_FALSE(node->failures.was_reported_here());
}

#if !defined(__SANITIZE_THREAD__)  // which does not follow forked processes

// Copying the text ends the process: it cannot be read.
void die_telling(const std::function<void(const std::string&)>& tell) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);  // of which AddressSanitizer would make an end of its own
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

TEST(FailureBoard, is_told_by_others_when_a_process_dies_telling) {
  const NodeControl node(2, 0, 1);
  die_telling([&](const std::string& text) { node->failures.report(THALWEG_ERROR_STORAGE, text); });
  die_telling([&](const std::string& text) { node->failures.report_group(0, THALWEG_ERROR_STORAGE, text); });
  EXPECT_FALSE(node->failures.has_failed());
  EXPECT_FALSE(node->failures.has_group_failed(0));
  node->failures.report(THALWEG_ERROR_PEER, "rank 41 died");
  EXPECT_EQ(failure_of(node->failures), std::pair(THALWEG_ERROR_PEER, std::string("rank 41 died")));
  node->failures.report_group(0, THALWEG_ERROR_PEER, "its server died");
  EXPECT_TRUE(node->failures.has_group_failed(0));
  EXPECT_EQ(node->failures.group_failure(0).code(), THALWEG_ERROR_PEER);
  EXPECT_STREQ(node->failures.group_failure(0).what(), "its server died");
}

#endif

TEST(FailureBoard, keeps_as_much_of_a_long_text_as_it_has_room_for) {
  const NodeControl node(1, 0, 1);
  node->failures.report_group(0, THALWEG_ERROR_PEER, "its server died");
  node->failures.report(THALWEG_ERROR_STORAGE, std::string(100'000, 'x'));
  const std::string text = failure_of(node->failures).second;
  EXPECT_EQ(text, std::string(text.size(), 'x'));
  EXPECT_GT(text.size(), 4000U);
  EXPECT_STREQ(node->failures.group_failure(0).what(), "its server died") << "it lies behind the text";
}

TEST(FailureBoard, wakes_who_sleeps_on_the_progress_when_something_fails) {
  const NodeControl node(1);
  const std::uint32_t seen = node->wake_ups.progress_word().load();
  std::thread other([&] { node->failures.report(THALWEG_ERROR_PEER, "gone"); });
  const double start_s = now_s();
  while (!node->failures.has_failed() && now_s() - start_s < patience_s)
    futex_wait(node->wake_ups.progress_word(), seen, patience_s);
  other.join();
  EXPECT_LT(now_s() - start_s, patience_s);
  EXPECT_NE(node->wake_ups.progress_word().load(), seen);
}

// Whoever loses the race must never see half of the winner's text.
TEST(FailureBoard, shows_every_thread_one_and_the_same_whole_failure) {
  constexpr int threads = 6;
  for (int round = 0; round < 200; ++round) {
    const NodeControl node(1);
    std::vector<std::pair<thalweg_status, std::string>> seen(threads);
    std::atomic<int> ready = 0;
    std::vector<std::thread> reporters;
    for (int t = 0; t < threads; ++t)
      reporters.emplace_back([&, t] {
        ++ready;
        while (ready < threads) std::this_thread::yield();
        node->failures.report(static_cast<thalweg_status>(t + 1), std::string(1000, static_cast<char>('a' + t)));
        while (seen[static_cast<std::size_t>(t)].first == THALWEG_OK)
          seen[static_cast<std::size_t>(t)] = failure_of(node->failures);
      });
    for (std::thread& reporter : reporters) reporter.join();
    const auto [code, text] = seen.front();
    ASSERT_EQ(text, std::string(1000, static_cast<char>('a' + code - 1)));
    for (const auto& one : seen) ASSERT_EQ(one, seen.front());
  }
}

TEST(GroupFailures, keep_the_first_of_each_group_and_are_no_failure) {
  const NodeControl node(2, 3, 2);
  EXPECT_FALSE(node->failures.has_group_failed(0));
  const std::uint32_t progress = node->wake_ups.progress_word();
  node->failures.report_group(0, THALWEG_ERROR_STORAGE, "disk full");
  node->failures.report_group(0, THALWEG_ERROR_PEER, "another");
  EXPECT_NE(node->wake_ups.progress_word(), progress);
  EXPECT_TRUE(node->failures.has_group_failed(0));
  EXPECT_TRUE(node->failures.was_group_reported_here(0));
  EXPECT_FALSE(node->failures.has_group_failed(1));
  EXPECT_FALSE(node->failures.was_group_reported_here(1));
  EXPECT_EQ(node->failures.group_failure(0).code(), THALWEG_ERROR_STORAGE);
  EXPECT_STREQ(node->failures.group_failure(0).what(), "disk full");
  EXPECT_FALSE(node->failures.has_failed());
}

TEST(GroupFailures, of_a_writer_end_its_group_where_it_has_one) {
  const NodeControl alone(1, 0, 2);
  alone->processes.client(0).group = 1;
  EXPECT_FALSE(alone->failures.has_writer_failed());
  alone->failures.report_writer({THALWEG_ERROR_STORAGE, "disk full"});
  EXPECT_TRUE(alone->failures.has_group_failed(1));
  EXPECT_TRUE(alone->failures.has_writer_failed());
  EXPECT_FALSE(alone->failures.has_failed());
  const NodeControl together(1);
  together->failures.report_writer({THALWEG_ERROR_STORAGE, "disk full"});
  EXPECT_TRUE(together->failures.has_failed());
  EXPECT_TRUE(together->failures.has_writer_failed());
}

}  // namespace
}  // namespace thalweg::staging
