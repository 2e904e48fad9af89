#include "transport/notices.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "transport/collective.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

constexpr double patience_s = 60.0;

std::optional<Notice> next_of(Notices& notices) {
  for (const double give_up_s = now_s() + patience_s; now_s() < give_up_s; std::this_thread::yield())
    if (auto notice = notices.receive()) return notice;
  return std::nullopt;
}

bool becomes_idle(Notices& notices) {
  for (const double give_up_s = now_s() + patience_s; now_s() < give_up_s; std::this_thread::yield())
    if (notices.is_idle()) return true;
  return false;
}

// Everyone writes to the next rank around; alone, to itself.
class NoticesRing : public testing::Test {
 protected:
  NoticesRing() : ranks(transport::ranks()), next((own_rank() + 1) % ranks) { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  ~NoticesRing() override { MPI_Comm_free(&comm); }
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks;
  int next;
};

TEST_F(NoticesRing, has_nothing_before_someone_writes) {
  Notices notices(comm);
  EXPECT_EQ(notices.receive(), std::nullopt);
  EXPECT_TRUE(notices.is_idle());
}

// The long one comes in parts and is not in yet when the short one is.
TEST_F(NoticesRing, brings_a_long_notice_before_a_short_one_behind_it) {
  Notices notices(comm);
  const std::vector<std::int64_t> many(1'000'000, 7);
  for (int round = 0; round < 3; ++round) {
    notices.send(next, {NoticeKind::record_offsets, 0, 2 * round, many, 0, ""});
    notices.send(next, {NoticeKind::record_written, 0, 2 * round + 1, {}, 0, ""});
  }
  for (int number = 0; number < 6; ++number) {
    const auto notice = next_of(notices);
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->number, number);
    EXPECT_TRUE(notice->offsets == (number % 2 == 0 ? many : std::vector<std::int64_t>()));
  }
  EXPECT_TRUE(becomes_idle(notices));
}

TEST_F(NoticesRing, brings_every_part_of_a_notice) {
  Notices notices(comm);
  notices.send(next, {NoticeKind::record_offsets, 3, std::int64_t{1} << 40, {5, -1, std::int64_t{1} << 50}, 0, ""});
  notices.send(next, {NoticeKind::failed, 0, 0, {}, THALWEG_ERROR_STORAGE, "the disk is full"});
  const auto offsets = next_of(notices);
  ASSERT_TRUE(offsets);
  EXPECT_EQ(offsets->kind, NoticeKind::record_offsets);
  EXPECT_EQ(offsets->collection, 3);
  EXPECT_EQ(offsets->number, std::int64_t{1} << 40);
  EXPECT_EQ(offsets->offsets, (std::vector<std::int64_t>{5, -1, std::int64_t{1} << 50}));
  EXPECT_EQ(offsets->text, "");
  const auto failed = next_of(notices);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->kind, NoticeKind::failed);
  EXPECT_EQ(failed->code, THALWEG_ERROR_STORAGE);
  EXPECT_EQ(failed->text, "the disk is full");
  EXPECT_TRUE(failed->offsets.empty());
  EXPECT_TRUE(becomes_idle(notices));
}

TEST_F(NoticesRing, keeps_the_order_of_one_writer_and_never_makes_it_wait) {
  Notices notices(comm);
  constexpr std::int64_t count = 2000;
  for (std::int64_t i = 0; i < count; ++i)
    notices.send(next, {NoticeKind::record_written, 0, i, std::vector<std::int64_t>(i % 50 == 0 ? 5000 : 2, i), 0, ""});
  for (std::int64_t i = 0; i < count; ++i) {
    const auto notice = next_of(notices);
    ASSERT_TRUE(notice) << "notice " << i;
    ASSERT_EQ(notice->number, i);
    ASSERT_EQ(notice->offsets.back(), i);
  }
  EXPECT_TRUE(becomes_idle(notices));
}

}  // namespace
}  // namespace thalweg::transport
