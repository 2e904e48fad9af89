#include "read/read_ahead.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "error_of.hpp"

namespace thalweg::read {
namespace {

// Only its address counts.
FileReader* file(int number) {
  static std::array<char, 8> places{};
  return reinterpret_cast<FileReader*>(&places[static_cast<std::size_t>(number)]);
}

RecordOf record_of(int of, int variable = 0, std::int64_t record = 0, int box = 0) {
  return {file(of), variable, box, record, nullptr, nullptr};
}

// The sum says which round it is.
ReadRound read_number(std::size_t round) {
  ReadRound read;
  read.sum = round;
  return read;
}

TEST(ReadAhead, gives_each_round_once_in_any_order) {
  ReadAhead ahead(60.0);
  const RecordOf record = record_of(0, 3, 7);
  ahead.ask(record, {0, 2, 4}, "it", read_number);
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
  ReadAhead ahead(60.0);
  std::promise<std::thread::id> reader;
  ahead.ask(record_of(0), {0}, "it", [&](std::size_t round) {
    reader.set_value(std::this_thread::get_id());
    return read_number(round);
  });
  EXPECT_NE(reader.get_future().get(), std::this_thread::get_id());
  EXPECT_TRUE(ahead.take(record_of(0), 0));
}

TEST(ReadAhead, throws_what_a_round_has_met_where_it_is_taken) {
  ReadAhead ahead(60.0);
  ahead.ask(record_of(0), {0, 2}, "it", [](std::size_t round) {
    if (round == 0) fail(THALWEG_ERROR_STORAGE, "cut short");
    return read_number(round);
  });
  EXPECT_EQ(error_of(THALWEG_ERROR_STORAGE, [&] { ahead.take(record_of(0), 0); }), "cut short");
  EXPECT_TRUE(ahead.take(record_of(0), 2));
}

TEST(ReadAhead, gives_up_what_nobody_wants_any_more) {
  ReadAhead ahead(60.0);
  std::promise<void> begun, goes_on;
  auto may_go_on = goes_on.get_future().share();
  const auto slowly = [&](std::size_t round) {
    if (round == 0) {
      begun.set_value();
      may_go_on.wait();
    }
    return read_number(round);
  };
  ahead.ask(record_of(0), {0, 2}, "it", slowly);
  ahead.ask(record_of(1), {2}, "it", read_number);
  begun.get_future().wait();
  auto forgotten = std::async(std::launch::async, [&] { ahead.forget(*file(0)); });
  goes_on.set_value();
  forgotten.get();
  EXPECT_FALSE(ahead.take(record_of(0), 2));
  EXPECT_TRUE(ahead.take(record_of(1), 2));
  ahead.ask(record_of(1, 5), {0}, "it", read_number);
  ahead.forget(*file(1), ReadAhead::BoxOf{4, 0});
  EXPECT_TRUE(ahead.take(record_of(1, 5), 0));
  ahead.ask(record_of(1, 5), {0}, "it", read_number);
  ahead.forget(*file(1), ReadAhead::BoxOf{5, 0});
  EXPECT_FALSE(ahead.take(record_of(1, 5), 0));
  // Another record of the variable takes the place of one that was not taken.
  ahead.ask(record_of(1, 0, 1), {0}, "it", read_number);
  ahead.ask(record_of(1, 0, 2), {0}, "it", read_number);
  EXPECT_FALSE(ahead.take(record_of(1, 0, 1), 0));
  EXPECT_TRUE(ahead.take(record_of(1, 0, 2), 0));
}

TEST(ReadAhead, gives_up_one_box_and_not_the_others) {
  ReadAhead ahead(60.0);
  for (const int box : {0, 1, 2}) ahead.ask(record_of(0, 3, 7, box), {0}, "it", read_number);
  ahead.forget(*file(0), ReadAhead::BoxOf{3, 1});
  EXPECT_FALSE(ahead.take(record_of(0, 3, 7, 1), 0));
  ahead.ask(record_of(0, 3, 8, 2), {0}, "it", read_number);
  EXPECT_FALSE(ahead.take(record_of(0, 3, 7, 2), 0));
  EXPECT_TRUE(ahead.take(record_of(0, 3, 8, 2), 0));
  EXPECT_TRUE(ahead.take(record_of(0, 3, 7, 0), 0));
}

TEST(ReadAhead, ends_with_rounds_that_nobody_took) {
  std::atomic<int> reads = 0;
  {
    ReadAhead ahead(60.0);
    ahead.ask(record_of(0), {0, 2}, "it", [&](std::size_t round) {
      ++reads;
      return read_number(round);
    });
    ahead.take(record_of(0), 0);
  }
  EXPECT_GE(reads, 1);
}

// A storage that stands still until it is let go on.
class StandingStill {
 public:
  ReadAhead::Read read() {
    return [kept = kept_, begun = begun_, goes_on = goes_on_.get_future().share()](std::size_t round) {
      begun->set_value();
      goes_on.wait();
      return read_number(round);
    };
  }
  void wait_for_begin() { begun_->get_future().wait(); }
  // The thread gives back what it was left with.
  void let_go_on() {
    goes_on_.set_value();
    const std::weak_ptr<int> kept = std::exchange(kept_, nullptr);
    while (!kept.expired()) std::this_thread::yield();
  }

 private:
  std::shared_ptr<int> kept_ = std::make_shared<int>(0);
  std::shared_ptr<std::promise<void>> begun_ = std::make_shared<std::promise<void>>();
  std::promise<void> goes_on_;
};

TEST(ReadAhead, waits_no_longer_than_the_deadline_for_storage) {
  StandingStill storage;
  {
    ReadAhead ahead(0.2);
    ahead.ask(record_of(0), {0, 1}, "rank 0, input 'a.nc'", storage.read());
    const std::string text = error_of(THALWEG_ERROR_DEADLINE, [&] { ahead.take(record_of(0), 0); });
    EXPECT_TRUE(text.starts_with("rank 0, input 'a.nc': the storage has not given"));
    EXPECT_FALSE(ahead.take(record_of(0), 1));
    ahead.throw_if_left();  // it has been said
    ahead.ask(record_of(1), {0}, "another", read_number);
    EXPECT_TRUE(ahead.take(record_of(1), 0));
  }
  storage.let_go_on();
}

TEST(ReadAhead, gives_up_without_storage_that_stands_still) {
  StandingStill storage;
  auto open = std::make_shared<int>(0);
  const std::weak_ptr<int> is_open = open;
  {
    ReadAhead ahead(0.2);
    ahead.keep(std::make_shared<int>(0));
    ahead.ask(record_of(0), {0}, "it", storage.read());
    storage.wait_for_begin();
    ahead.forget(*file(0));
    ahead.keep(std::move(open));
    error_of(THALWEG_ERROR_DEADLINE, [&] { ahead.throw_if_left(); });
  }
  EXPECT_FALSE(is_open.expired());
  storage.let_go_on();
}

TEST(ReadAhead, ends_without_storage_that_stands_still) {
  StandingStill storage;
  {
    ReadAhead ahead(0.2);
    ahead.ask(record_of(0), {0}, "it", storage.read());
    storage.wait_for_begin();
  }
  storage.let_go_on();
}

}  // namespace
}  // namespace thalweg::read
