#include "transport/typed_messages.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "transport/collective.hpp"
#include "transport/mailbox.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

constexpr double messages_patience_s = 60.0;

struct Numbers {
  std::int64_t number = 0;
  std::vector<std::int64_t> values;
  auto members() { return std::tie(number, values); }
};
struct Text {
  std::int32_t code = 0;
  std::string text;
  auto members() { return std::tie(code, text); }
};
using Message = std::variant<Numbers, Text>;
using Messages = TypedMessages<Message>;

Messages messages_on(MPI_Comm comm) {
  return Messages(std::make_unique<Mailbox>(comm, 1));
}

std::optional<Message> next_of(Messages& messages) {
  for (const double give_up_s = now_s() + messages_patience_s; now_s() < give_up_s; std::this_thread::yield())
    if (auto message = messages.receive()) return message;
  return std::nullopt;
}

bool becomes_idle(Messages& messages) {
  for (const double give_up_s = now_s() + messages_patience_s; now_s() < give_up_s; std::this_thread::yield())
    if (messages.is_idle()) return true;
  return false;
}

// Everyone writes to the next rank around; alone, to itself.
class MessagesRing : public testing::Test {
 protected:
  MessagesRing() : ranks(transport::ranks()), next((own_rank() + 1) % ranks) { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  ~MessagesRing() override { MPI_Comm_free(&comm); }
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks;
  int next;
};

TEST_F(MessagesRing, has_nothing_before_someone_writes) {
  Messages messages = messages_on(comm);
  EXPECT_FALSE(messages.receive().has_value());
  EXPECT_TRUE(messages.is_idle());
}

// The long one comes in parts and is not in yet when the short one is.
TEST_F(MessagesRing, brings_a_long_message_before_a_short_one_behind_it) {
  Messages messages = messages_on(comm);
  const std::vector<std::int64_t> many(1'000'000, 7);
  for (int round = 0; round < 3; ++round) {
    messages.send(next, Numbers{2 * round, many});
    messages.send(next, Numbers{2 * round + 1, {}});
  }
  for (int number = 0; number < 6; ++number) {
    const auto message = next_of(messages);
    ASSERT_TRUE(message);
    EXPECT_EQ(std::get<Numbers>(*message).number, number);
    EXPECT_TRUE(std::get<Numbers>(*message).values == (number % 2 == 0 ? many : std::vector<std::int64_t>()));
  }
  EXPECT_TRUE(becomes_idle(messages));
}

TEST_F(MessagesRing, brings_every_part_of_a_message) {
  Messages messages = messages_on(comm);
  messages.send(next, Numbers{std::int64_t{1} << 40, {5, -1, std::int64_t{1} << 50}});
  messages.send(next, Text{8, "the disk is full"});
  const auto numbers = next_of(messages);
  ASSERT_TRUE(numbers && std::holds_alternative<Numbers>(*numbers));
  EXPECT_EQ(std::get<Numbers>(*numbers).number, std::int64_t{1} << 40);
  EXPECT_EQ(std::get<Numbers>(*numbers).values, (std::vector<std::int64_t>{5, -1, std::int64_t{1} << 50}));
  const auto text = next_of(messages);
  ASSERT_TRUE(text && std::holds_alternative<Text>(*text));
  EXPECT_EQ(std::get<Text>(*text).code, 8);
  EXPECT_EQ(std::get<Text>(*text).text, "the disk is full");
  EXPECT_TRUE(becomes_idle(messages));
}

TEST_F(MessagesRing, keeps_the_order_of_one_writer_and_never_makes_it_wait) {
  Messages messages = messages_on(comm);
  constexpr std::int64_t count = 2000;
  for (std::int64_t i = 0; i < count; ++i)
    messages.send(next, Numbers{i, std::vector<std::int64_t>(i % 50 == 0 ? 5000 : 2, i)});
  for (std::int64_t i = 0; i < count; ++i) {
    const auto message = next_of(messages);
    ASSERT_TRUE(message) << "message " << i;
    ASSERT_EQ(std::get<Numbers>(*message).number, i);
    ASSERT_EQ(std::get<Numbers>(*message).values.back(), i);
  }
  EXPECT_TRUE(becomes_idle(messages));
}

}  // namespace
}  // namespace thalweg::transport
