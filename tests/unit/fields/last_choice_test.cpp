#include "fields/last_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "error_of.hpp"

namespace thalweg::fields {
namespace {

// What is chosen is no atomic: a thread that sees that it is there sees all of it.
TEST(LastChoice, is_made_by_one_of_several_threads_and_seen_by_all) {
  for (int round = 0; round < 50; ++round) {
    LastChoice last;
    int made = 0;
    std::vector<int> chosen, seen(4);
    std::vector<std::thread> threads;
    for (int& sees : seen)
      threads.emplace_back([&] {
        if (!last.is_of(3)) {
          const auto turn = last.wait();
          last.make(3, [&] {
            ++made;
            chosen.assign(100, 7);
          });
        }
        for (const int each : chosen) sees += each;
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
    EXPECT_THAT(seen, testing::Each(700));
  }
}

TEST(LastChoice, that_failed_fails_until_something_else_is_defined) {
  LastChoice last;
  int tried = 0;
  const auto refuse = [&] {
    ++tried;
    fail(THALWEG_ERROR_CONFIG, "no field 'x'");
  };
  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(error_of(THALWEG_ERROR_CONFIG, [&] { last.make(1, refuse); }), "no field 'x'");
    EXPECT_FALSE(last.is_of(1));
  }
  EXPECT_EQ(tried, 1);
  last.make(2, [] {});
  EXPECT_TRUE(last.is_of(2));
  last.forget();
  EXPECT_FALSE(last.is_of(2));
}

}  // namespace
}  // namespace thalweg::fields
