#include "roles/meeting.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "base/clock.hpp"
#include "transport/agreement.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

constexpr double deadline_s = 0.5;
constexpr double late_s = 2.5;  // when the others have asked each other, and given up

// One of the same ranks, which can be left.
roles::Circle circle_with_deadline() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  roles::Circle circle(comm);
  circle.patience()->deadline_s = deadline_s;
  return circle;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_DEADLINE);
    return error.what();
  }
  return "";
}

// The others are released from the deadline of each other before the next test.
void expect_all_name(int late, const std::function<void(const roles::Circle&)>& step) {
  const roles::Circle circle = circle_with_deadline();
  const double start_s = now_s();
  if (own_rank() == late) std::this_thread::sleep_for(std::chrono::duration<double>(late_s));
  const std::string text = error_of([&] {
    step(circle);
    circle.require_unexpired();
  });
  EXPECT_NE(text.find(fmt::format("rank {} did not", late)), std::string::npos)
      << "rank " << own_rank() << ": " << text;
  if (own_rank() != late) EXPECT_LT(now_s() - start_s, late_s);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Meeting, names_whoever_is_late_on_every_rank) {
  if (ranks() == 1) GTEST_SKIP() << "needs two ranks: nobody can be late";
  expect_all_name(0, [](const roles::Circle& circle) { roles::reduced(circle, 1, MPI_INT, MPI_SUM); });
  expect_all_name(ranks() - 1, [](const roles::Circle& circle) {
    exchange_sparsely(circle, {{(own_rank() + 1) % ranks(), Bytes(100000)}});
  });
}

TEST(Meeting, ends_with_what_others_have_met) {
  const roles::Circle circle = circle_with_deadline();
  circle.patience()->looks = [] { throw Error(THALWEG_ERROR_PEER, "another rank died"); };
  int ended = 0;
  circle.patience()->ends = [&] { ++ended; };
  EXPECT_THROW(circle.wait_until([] { return false; }), Error);
  EXPECT_EQ(ended, 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Meeting, makes_communicators_of_some_ranks) {
  roles::Circle even = roles::Circle(roles::split(MPI_COMM_WORLD, own_rank() % 2, own_rank()));
  EXPECT_EQ(even.size(), (ranks() + 1 - own_rank() % 2) / 2);
  even.free();
  EXPECT_EQ(even.comm(), MPI_COMM_NULL);
}

}  // namespace
}  // namespace thalweg::transport
