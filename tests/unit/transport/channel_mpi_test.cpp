#include "transport/channel.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "transport/collective.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

constexpr double patience_s = 60.0;
constexpr std::int64_t words = 500;
constexpr int tag = 20;
constexpr int owner = 7;

std::int64_t word(std::int64_t record, int sender, std::int64_t i) {
  return record * 1'000'000 + sender * 10'000 + i;
}

bool soon(const std::function<bool()>& condition) {
  const double give_up_s = now_s() + patience_s;
  while (!condition()) {
    if (now_s() > give_up_s) return false;
    std::this_thread::yield();
  }
  return true;
}

// Every rank sends to the next one around; alone, to itself.
class ChannelRing : public testing::Test {
 protected:
  ChannelRing()
      : sender((own_rank() + ranks() - 1) % ranks()),
        out_memory(channel_buffers * words),
        in_memory(channel_buffers * words),
        in(arrivals, owner, MPI_COMM_WORLD, sender, tag, reinterpret_cast<std::byte*>(in_memory.data()), words * 8),
        out(MPI_COMM_WORLD, (own_rank() + 1) % ranks(), tag, reinterpret_cast<std::byte*>(out_memory.data()),
            words * 8) {}
  ~ChannelRing() override {
    arrivals.cancel();
    barrier(MPI_COMM_WORLD);
  }

  void send(std::int64_t record) {
    auto* buffer = reinterpret_cast<std::int64_t*>(out.buffer(record));
    for (std::int64_t i = 0; i < words; ++i) buffer[i] = word(record, own_rank(), i);
    out.send(record);
  }
  const std::byte* looked_at() {
    arrivals.look();
    return in.arrived();
  }
  std::int64_t wrong(const std::byte* message, std::int64_t record) const {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < words; ++i)
      count += reinterpret_cast<const std::int64_t*>(message)[i] != word(record, sender, i);
    return count;
  }

  int sender;
  std::vector<std::int64_t> out_memory;
  std::vector<std::int64_t> in_memory;
  Arrivals arrivals;
  ReceiveChannel in;
  SendChannel out;
};

TEST_F(ChannelRing, is_free_and_empty_at_first) {
  for (std::int64_t record = 0; record < channel_buffers; ++record) EXPECT_TRUE(out.is_free(record));
  EXPECT_TRUE(out.is_idle());
  EXPECT_EQ(out.peer(), (own_rank() + 1) % ranks());
  EXPECT_EQ(in.next_record(), 0);
  EXPECT_EQ(in.arrived(), nullptr);
  barrier(MPI_COMM_WORLD);
}

TEST_F(ChannelRing, brings_records_in_order_through_its_two_buffers) {
  constexpr std::int64_t records = 500;
  std::int64_t sent = 0;
  const bool done = soon([&] {
    if (sent < records && out.is_free(sent)) send(sent++);
    if (const std::byte* message = looked_at()) {
      EXPECT_EQ(wrong(message, in.next_record()), 0) << "record " << in.next_record();
      in.take_next();
    }
    return in.next_record() == records && sent == records;
  });
  EXPECT_TRUE(done) << "sent " << sent << ", received " << in.next_record();
  EXPECT_TRUE(soon([&] { return out.is_idle(); }));
}

TEST_F(ChannelRing, shows_a_message_after_a_look_only) {
  send(0);
  std::vector<int> found;
  const auto look = [&] {
    const auto owners = arrivals.look();
    found.assign(owners.begin(), owners.end());
    return !found.empty();
  };
  ASSERT_TRUE(soon(look));
  EXPECT_EQ(found, std::vector{owner});
  EXPECT_EQ(wrong(in.arrived(), 0), 0);
  barrier(MPI_COMM_WORLD);  // nobody's second message is in by that look
  send(1);
  EXPECT_TRUE(soon([&] { return out.is_idle(); }));
  in.take_next();
  EXPECT_EQ(in.arrived(), nullptr);
  ASSERT_TRUE(soon(look));
  EXPECT_EQ(found, std::vector{owner});
  EXPECT_EQ(wrong(in.arrived(), 1), 0);
  EXPECT_FALSE(look());
}

TEST_F(ChannelRing, keeps_a_message_until_it_is_taken) {
  send(0);
  ASSERT_TRUE(soon([&] { return looked_at() != nullptr; }));
  const std::byte* message = in.arrived();
  EXPECT_EQ(in.arrived(), message);
  EXPECT_EQ(in.next_record(), 0);
  EXPECT_EQ(wrong(message, 0), 0);
  EXPECT_TRUE(soon([&] { return out.is_idle(); }));
}

// A receiver that takes nothing must not be flooded: two messages lie in its own buffers, two wait at the sender.
TEST_F(ChannelRing, holds_the_sender_back_when_the_receiver_takes_nothing) {
  send(0);
  send(1);
  ASSERT_TRUE(soon([&] { return out.is_free(2) && out.is_free(3); }));
  send(2);
  send(3);
  barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(out.is_free(4));
    EXPECT_FALSE(out.is_free(5));
  }
  barrier(MPI_COMM_WORLD);
  for (std::int64_t record = 0; record < 4; ++record) {
    ASSERT_TRUE(soon([&] { return looked_at() != nullptr; }));
    EXPECT_EQ(wrong(in.arrived(), record), 0);
    in.take_next();
  }
  EXPECT_TRUE(soon([&] { return out.is_idle(); }));
}

TEST_F(ChannelRing, ends_with_receives_still_waiting) {
  arrivals.cancel();
  arrivals.cancel();
  EXPECT_TRUE(out.is_idle());
}

TEST(Channel, has_a_longest_message) {
  constexpr std::int64_t longest = std::int64_t{2'147'483'647} * 8;
  EXPECT_NO_THROW(check_message(longest, "history"));
  try {
    check_message(longest + 8, "history");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("collection 'history': 2147483648 words of 8 bytes of a piece"));
  }
}

}  // namespace
}  // namespace thalweg::transport
