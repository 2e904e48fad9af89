#include "writer/pool.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <barrier>
#include <future>
#include <set>

namespace thalweg::writer {
namespace {

void fails_test(const Error& error) {
  ADD_FAILURE() << error.what();
}

TEST(Pool, begins_tasks_in_the_order_in_which_they_come) {
  std::vector<int> order;
  std::promise<void> last;
  Pool pool(1, {}, fails_test);
  for (int i = 0; i < 100; ++i) pool.submit([&order, i](transform::EncodingTools&) { order.push_back(i); });
  pool.submit([&](transform::EncodingTools&) { last.set_value(); });
  last.get_future().wait();
  ASSERT_EQ(order.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(Pool, runs_as_many_tasks_at_once_as_it_has_threads) {
  constexpr int threads = 3;
  std::barrier all(threads + 1);  // passed only by as many that run at the same time
  std::mutex mutex;
  std::set<std::thread::id> seen;
  Pool pool(threads, {}, fails_test);
  for (int i = 0; i < threads; ++i)
    pool.submit([&](transform::EncodingTools&) {
      {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
      }
      all.arrive_and_wait();
    });
  all.arrive_and_wait();
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_FALSE(seen.contains(std::this_thread::get_id()));
}

TEST(Pool, stopped_waits_for_what_has_begun_and_drops_the_rest) {
  std::promise<void> begun, go_on;
  std::atomic<int> done = 0;
  Pool pool(1, {}, fails_test);
  pool.submit([&](transform::EncodingTools&) {
    begun.set_value();
    go_on.get_future().wait();
    ++done;
  });
  for (int i = 0; i < 10; ++i) pool.submit([&](transform::EncodingTools&) { done += 100; });
  begun.get_future().wait();
  std::thread stopper([&] { pool.stop(); });
  // The first task ends only after the rest is dropped, or a later one would be counted.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  go_on.set_value();
  stopper.join();
  EXPECT_EQ(done, 1);
}

TEST(Pool, without_tasks_starts_and_stops_at_once) {
  Pool pool(8, {}, fails_test);
  pool.stop();
  pool.stop();
}

TEST(Pool, keeps_its_tools_from_task_to_task) {
  std::promise<std::size_t> kept;
  Pool pool(1, {}, fails_test);
  pool.submit([](transform::EncodingTools& tools) { tools.spare.resize(77); });
  pool.submit([&](transform::EncodingTools& tools) { kept.set_value(tools.spare.size()); });
  EXPECT_EQ(kept.get_future().get(), 77U);
}

TEST(Pool, uses_the_processors_it_is_given) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int last = 0;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<std::size_t>(i), &allowed)) last = i;
  std::promise<cpu_set_t> of_task;
  Pool pool(1, {last}, fails_test);
  pool.submit([&](transform::EncodingTools&) {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    of_task.set_value(set);
  });
  const cpu_set_t set = of_task.get_future().get();
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(last), &set));
}

TEST(Pool, says_what_a_task_throws_and_goes_on) {
  std::vector<std::string> heard;
  std::promise<void> last;
  Pool pool(1, {}, [&](const Error& error) { heard.push_back(fmt::format("{}: {}", +error.code(), error.what())); });
  pool.submit([](transform::EncodingTools&) { fail(THALWEG_ERROR_STORAGE, "no chunk"); });
  pool.submit([](transform::EncodingTools&) { throw std::bad_alloc(); });
  pool.submit([](transform::EncodingTools&) { throw 17; });
  pool.submit([&](transform::EncodingTools&) { last.set_value(); });
  last.get_future().wait();
  const std::string where = " in a thread that encodes chunks";
  EXPECT_EQ(heard, (std::vector<std::string>{fmt::format("{}: no chunk", +THALWEG_ERROR_STORAGE),
                                             fmt::format("{}: out of memory{}", +THALWEG_ERROR_MEMORY, where),
                                             fmt::format("{}: fault of Thalweg{}: an exception that says nothing",
                                                         +THALWEG_ERROR_INTERNAL, where)}));
}

}  // namespace
}  // namespace thalweg::writer
