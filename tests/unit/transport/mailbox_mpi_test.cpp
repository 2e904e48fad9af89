#include "transport/mailbox.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/clock.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

constexpr int window = 8;
constexpr double mailbox_patience_s = 60.0;

// Everyone writes to the next rank around; alone, to itself.
class MailboxRing : public testing::Test {
 protected:
  MailboxRing() : next((own_rank() + 1) % ranks()) { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  ~MailboxRing() override { MPI_Comm_free(&comm); }

  // As many as a sender may send that keeps to the window.
  int fill(Mailbox& box) {
    int sent = 0;
    for (; box.full_receiver() < 0 && sent < 100 * window; ++sent) box.send(next, Packer().put(number++).take());
    return sent;
  }
  void meet() const { MPI_Barrier(comm); }
  static bool comes_true(const std::function<bool()>& what) {
    for (const double give_up_s = now_s() + mailbox_patience_s; now_s() < give_up_s; std::this_thread::yield())
      if (what()) return true;
    return false;
  }
  void expect_next(Mailbox& box) {
    std::optional<Bytes> bytes;
    ASSERT_TRUE(comes_true([&] { return (bytes = box.receive()).has_value(); }));
    EXPECT_EQ(Unpacker(*bytes).get<int>(), expected++);
  }

  MPI_Comm comm = MPI_COMM_NULL;
  int next;
  int number = 0;
  int expected = 0;
};

TEST_F(MailboxRing, has_less_than_two_windows_under_way_to_a_receiver_that_takes_nothing) {
  Mailbox box(comm, 5, window);
  EXPECT_EQ(fill(box), 2 * window - 1);
  EXPECT_EQ(box.full_receiver(), next);
  EXPECT_EQ(box.late_receiver(), next);
  EXPECT_EQ(fill(box), 0);
  meet();
  for (int i = 0; i < 2 * window - 1; ++i) expect_next(box);
  EXPECT_TRUE(comes_true([&] { return box.full_receiver() < 0 && box.is_idle(); }));
  meet();
}

TEST_F(MailboxRing, takes_in_no_more_than_a_window_before_somebody_wants_it) {
  Mailbox box(comm, 5, window);
  fill(box);
  meet();
  expect_next(box);
  EXPECT_TRUE(comes_true([&] { return box.full_receiver() < 0; }));  // the first checked one was taken in with it
  meet();
  EXPECT_EQ(fill(box), window);
  meet();
  for (int i = 1; i < window; ++i) expect_next(box);
  meet();
  EXPECT_EQ(box.full_receiver(), next);  // the second checked one is the 16th, and the first 8 were wanted
  meet();
  while (expected < number) expect_next(box);
  EXPECT_TRUE(comes_true([&] { return box.full_receiver() < 0 && box.is_idle(); }));
  meet();
}

TEST_F(MailboxRing, waits_for_nobody_that_is_forgotten) {
  Mailbox box(comm, 5, window);
  fill(box);
  EXPECT_EQ(box.full_receiver(), next);
  box.forget(next);
  EXPECT_EQ(box.full_receiver(), -1);
  EXPECT_EQ(fill(box), 100 * window);
  EXPECT_TRUE(box.is_idle());
  meet();
  while (expected < number) expect_next(box);
  meet();
}

TEST_F(MailboxRing, without_a_window_is_never_full) {
  Mailbox box(comm, 5);
  EXPECT_EQ(fill(box), 100 * window);
  meet();
  while (expected < number) expect_next(box);
  EXPECT_TRUE(comes_true([&] { return box.is_idle(); }));
  meet();
}

}  // namespace
}  // namespace thalweg::transport
