#include "read/read_ahead.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <thread>

#include "error_of.hpp"

namespace thalweg::read {
namespace {

// Only its address counts.
FileReader* file(int number) {
  static std::array<char, 8> places{};
  return reinterpret_cast<FileReader*>(&places[static_cast<std::size_t>(number)]);
}

RecordOf record_of(int of, int variable = 0, std::int64_t record = 0) {
  return {file(of), variable, record, nullptr, nullptr};
}

// The sum says which round it is.
ReadRound read_number(std::size_t round) {
  ReadRound read;
  read.sum = round;
  return read;
}

TEST(ReadAhead, gives_each_round_once_in_any_order) {
  ReadAhead ahead;
  const RecordOf record = record_of(0, 3, 7);
  ahead.ask(record, {0, 2, 4}, read_number);
  for (const std::size_t round : {4, 0}) {
    const auto read = ahead.take(record, round);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->sum, round);
    EXPECT_FALSE(ahead.take(record, round));
  }
  EXPECT_FALSE(ahead.take(record_of(0, 3, 8), 2));
  EXPECT_FALSE(ahead.take(record_of(1, 3, 7), 2));
  RecordOf elsewhere = record;
  elsewhere.into = &ahead;
  EXPECT_FALSE(ahead.take(elsewhere, 2));
  EXPECT_TRUE(ahead.take(record, 2));
}

TEST(ReadAhead, reads_before_it_is_asked_for_by_a_thread_of_its_own) {
  ReadAhead ahead;
  std::promise<std::thread::id> reader;
  ahead.ask(record_of(0), {0}, [&](std::size_t round) {
    reader.set_value(std::this_thread::get_id());
    return read_number(round);
  });
  EXPECT_NE(reader.get_future().get(), std::this_thread::get_id());
  EXPECT_TRUE(ahead.take(record_of(0), 0));
}

TEST(ReadAhead, throws_what_a_round_has_met_where_it_is_taken) {
  ReadAhead ahead;
  ahead.ask(record_of(0), {0, 2}, [](std::size_t round) {
    if (round == 0) fail(THALWEG_ERROR_STORAGE, "cut short");
    return read_number(round);
  });
  EXPECT_EQ(error_of(THALWEG_ERROR_STORAGE, [&] { ahead.take(record_of(0), 0); }), "cut short");
  EXPECT_TRUE(ahead.take(record_of(0), 2));
}

TEST(ReadAhead, gives_up_what_nobody_wants_any_more) {
  ReadAhead ahead;
  std::promise<void> begun, goes_on;
  auto may_go_on = goes_on.get_future().share();
  const auto slowly = [&](std::size_t round) {
    if (round == 0) {
      begun.set_value();
      may_go_on.wait();
    }
    return read_number(round);
  };
  ahead.ask(record_of(0), {0, 2}, slowly);
  ahead.ask(record_of(1), {2}, read_number);
  begun.get_future().wait();
  auto forgotten = std::async(std::launch::async, [&] { ahead.forget(*file(0)); });
  goes_on.set_value();
  forgotten.get();
  EXPECT_FALSE(ahead.take(record_of(0), 2));
  EXPECT_TRUE(ahead.take(record_of(1), 2));
  ahead.ask(record_of(1, 5), {0}, read_number);
  ahead.forget(*file(1), 4);
  EXPECT_TRUE(ahead.take(record_of(1, 5), 0));
  ahead.ask(record_of(1, 5), {0}, read_number);
  ahead.forget(*file(1), 5);
  EXPECT_FALSE(ahead.take(record_of(1, 5), 0));
  // Another record of the variable takes the place of one that was not taken.
  ahead.ask(record_of(1, 0, 1), {0}, read_number);
  ahead.ask(record_of(1, 0, 2), {0}, read_number);
  EXPECT_FALSE(ahead.take(record_of(1, 0, 1), 0));
  EXPECT_TRUE(ahead.take(record_of(1, 0, 2), 0));
}

TEST(ReadAhead, ends_with_rounds_that_nobody_took) {
  std::atomic<int> reads = 0;
  {
    ReadAhead ahead;
    ahead.ask(record_of(0), {0, 2}, [&](std::size_t round) {
      ++reads;
      return read_number(round);
    });
    ahead.take(record_of(0), 0);
  }
  EXPECT_GE(reads, 1);
}

}  // namespace
}  // namespace thalweg::read
